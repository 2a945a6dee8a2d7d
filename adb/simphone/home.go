package simphone

import (
	"hash/fnv"
	"image"
	"image/color"
	"strings"
	"time"
)

// homePackage is the package of the home screen, which is always installed.
const homePackage = "com.android.launcher3"

// homeScreen shows an icon for each app; a tap opens it.
type homeScreen struct {
	phone *Phone
	down  string // the app under the finger
	size  image.Point
}

func (h *homeScreen) Package() string { return homePackage }

const homeColumns = 4

// icon returns the centre and half the width of the i-th icon, in pixels.
func (h *homeScreen) icon(i int) (x, y, half float64) {
	pitch := float64(h.size.X) / homeColumns
	return (float64(i%homeColumns) + 0.5) * pitch, float64(h.size.Y)/8 + (float64(i/homeColumns)+0.5)*pitch*1.2, pitch * 0.3
}

func (h *homeScreen) apps() []string {
	h.phone.mu.Lock()
	defer h.phone.mu.Unlock()
	return h.phone.apps.names[1:] // all but itself; the list never changes
}

func (h *homeScreen) Draw(c Canvas, _ time.Duration) {
	h.size = c.Size()
	c.Fill(color.NRGBA{R: 24, G: 48, B: 72, A: 255})
	c.Circle(float64(h.size.X)*0.8, float64(h.size.Y)*0.9, float64(h.size.X)*0.6, color.NRGBA{R: 48, G: 88, B: 112, A: 255})
	white := color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	for i, name := range h.apps() {
		x, y, half := h.icon(i)
		sum := fnv.New32a()
		sum.Write([]byte(name))
		hue := sum.Sum32()
		tint := color.NRGBA{R: uint8(hue)/2 + 80, G: uint8(hue>>8)/2 + 80, B: uint8(hue>>16)/2 + 80, A: 255}
		c.RoundRect(x-half, y-half, x+half, y+half, half*0.4, tint)
		label := name[strings.LastIndexByte(name, '.')+1:]
		c.Text(x, y+half*1.5, half*0.4, 0.5, label, white)
	}
}

func (h *homeScreen) Touch(action int, x, y float64, _ time.Duration) {
	h.size = h.phone.FrameSize()
	under := ""
	for i, name := range h.apps() {
		cx, cy, half := h.icon(i)
		if max(x-cx, cx-x) <= half && max(y-cy, cy-y) <= half {
			under = name
		}
	}
	switch action {
	case TouchDown:
		h.down = under
	case TouchUp:
		if under != "" && under == h.down {
			// When an app does not start, the home screen stays in front.
			if err := h.phone.Launch(under); err != nil {
				h.phone.log.Warn("launch", "error", err)
			}
		}
		h.down = ""
	}
}

func (h *homeScreen) Back(time.Duration) {}
