package vision

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// #endif
//
// // The C library returns freed memory to the system as soon as it can, and takes it
// // again a moment later, page by page. Looking at a frame allocates and frees the
// // same few megabytes over and over, and without this call a quarter of the time
// // goes into that. The library now keeps at most what looking at one frame takes.
// static void keep_freed_memory(void) {
// #ifdef __GLIBC__
// 	mallopt(M_MMAP_THRESHOLD, 32 << 20);
// 	mallopt(M_TRIM_THRESHOLD, 64 << 20);
// 	mallopt(M_TOP_PAD, 4 << 20);
// 	mallopt(M_ARENA_MAX, 1);
// #endif
// }
import "C"

import "gocv.io/x/gocv"

func init() {
	C.keep_freed_memory()
	// What OpenCV still does here takes less time than waking other threads for it.
	gocv.SetNumThreads(1)
}
