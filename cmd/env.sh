# The settings with which the go command builds gocv, in one place. `make` and
# .ci/run read it; for a plain `go build`, or an editor started from the shell:
#
#	. cmd/env.sh
#
# Only the modules core, imgproc and imgcodecs of gocv are compiled: so it builds
# against OpenCV 4.6 to 4.10, and a program loads half as many libraries.

# Flags that were already set are kept, including those of `go env -w`.
case " ${GOFLAGS=$(go env GOFLAGS)} " in
*gocv_specific_modules*) ;;
*) export GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath -tags=gocv_specific_modules,customenv" ;;
esac
CGO_CPPFLAGS=$(pkg-config --cflags opencv4 2>/dev/null || echo -I/usr/include/opencv4)
export CGO_CPPFLAGS
export CGO_CXXFLAGS="-g -O2 --std=c++11"
# A program does not load libraries that it never calls.
export CGO_LDFLAGS="-g -O2 -Wl,--as-needed -lopencv_core -lopencv_imgproc -lopencv_imgcodecs"
