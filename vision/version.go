package vision

import "gocv.io/x/gocv"

// OpenCVVersion is the version of the OpenCV library in use.
func OpenCVVersion() string { return gocv.OpenCVVersion() }
