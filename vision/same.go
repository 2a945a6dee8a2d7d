package vision

import "image"

// What two frames of an unchanged screen may differ in.
const (
	sameStep   = 3  // pixels: every third one of every third row is compared
	sameColour = 24 // of 255: noise moves no channel by more
)

// Same reports whether two frames agree in a region except for noise: at most
// one in oneIn of the pixels compared differs. Frames of different bounds
// never agree.
func Same(a, b *image.RGBA, region image.Rectangle, oneIn int) bool {
	if a == b {
		return true
	}
	if a.Bounds() != b.Bounds() {
		return false
	}
	region = region.Intersect(a.Bounds())
	rows, columns := (region.Dy()+sameStep-1)/sameStep, (region.Dx()+sameStep-1)/sameStep
	allowed := rows * columns / oneIn
	different := 0
	for y := region.Min.Y; y < region.Max.Y; y += sameStep {
		i := a.PixOffset(region.Min.X, y)
		j := b.PixOffset(region.Min.X, y)
		for x := region.Min.X; x < region.Max.X; x += sameStep {
			for k := range 3 {
				d := int(a.Pix[i+k]) - int(b.Pix[j+k])
				if d > sameColour || d < -sameColour {
					if different++; different > allowed {
						return false
					}
					break
				}
			}
			i += 4 * sameStep
			j += 4 * sameStep
		}
	}
	return true
}
