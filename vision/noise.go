package vision

import (
	"image"
	"math"
	"slices"
)

// noiseLimits bound what counts as a noisy frame, and how it is smoothed. A phone's own
// frames have no noise; those of cameras and of capture cards do.
var noiseLimits = struct {
	sampledPart, quietPart int
	least                  float64
	place                  float64
	colour                 float64
}{
	sampledPart: 96,   // 1/n of the shorter side: the noise is sampled in steps of this length
	quietPart:   4,    // 1/n of the places: those where a frame is quietest tell its noise, since the others may show a picture
	least:       0.75, // brightness levels: the quiet places' pixels are off the mean of their neighbours by at least this
	place:       5,    // pixels: neighbours are mixed with a pixel the less the further away they are, with this deviation
	colour:      30,   // times the noise of the quiet places: colours that differ by much more, all channels together, are not mixed
}

// unnoised is the frame itself, or, where there is noise all over it, a copy in which
// pixels are mixed with neighbours of nearly their colour: edges and lines stay.
func unnoised(frame *image.RGBA) *image.RGBA {
	noise := noiseOf(frame)
	if noise < noiseLimits.least {
		return frame
	}
	return smoothed(frame, noiseLimits.colour*noise)
}

// smoothed is a copy of a frame in which pixels are mixed with neighbours, the less the more
// their colours and places differ: a bilateral filter, whose deviation for colours, all
// channels together, is given.
func smoothed(frame *image.RGBA, colour float64) *image.RGBA {
	weights := make([]float32, 0, len(stepsSquared)*apartMost)
	for _, squared := range stepsSquared {
		byPlace := math.Exp(-squared / (2 * noiseLimits.place * noiseLimits.place))
		for apart := range apartMost {
			weights = append(weights, float32(byPlace)*float32(math.Exp(-float64(apart*apart)/(2*colour*colour))))
		}
	}
	smooth := image.NewRGBA(frame.Rect)
	mix(frame, weights, smooth)
	return smooth
}

// noiseOf is how far, in brightness levels, pixels are off the mean of their four
// neighbours where a frame is quiet: about a third of the noise's standard deviation.
func noiseOf(frame *image.RGBA) float64 {
	size := frame.Rect.Size()
	step := max(1, min(size.X, size.Y)/noiseLimits.sampledPart)
	const green = 1
	var off [4*255 + 1]int // places by four times how far they are off
	places := 0
	for y := 1 + step/2; y < size.Y-1; y += step {
		for x := 1 + step/2; x < size.X-1; x += step {
			i := y*frame.Stride + 4*x + green
			sum := int(frame.Pix[i-4]) + int(frame.Pix[i+4]) + int(frame.Pix[i-frame.Stride]) + int(frame.Pix[i+frame.Stride])
			d := 4*int(frame.Pix[i]) - sum
			off[max(d, -d)]++
			places++
		}
	}
	below := 0
	i := slices.IndexFunc(off[:], func(count int) bool {
		below += count
		return below*noiseLimits.quietPart > places
	})
	return float64(max(i, 0)) / 4
}
