// WIDE marks functions that are compiled twice where that is possible: as any processor
// of the kind has them, and for those that take twice as many bytes at a time.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define WIDE __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef WIDE
#define WIDE
#endif
