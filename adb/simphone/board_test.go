package simphone

import (
	"fmt"
	"image"
	"image/color"
	"sync"
	"testing"
	"time"
)

// boardApp is an app for tests: a board of dots, and a trail behind the finger.
type boardApp struct {
	mu    sync.Mutex
	name  string
	trail [][2]float64
	calls []string
	backs int
	panic bool
}

func (b *boardApp) Package() string { return b.name }

func (b *boardApp) Draw(c Canvas, _ time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.panic {
		panic("board fell over")
	}
	drawBoard(c)
	if len(b.trail) > 1 {
		c.Polyline(b.trail, float64(c.Size().X)/30, color.NRGBA{R: 255, A: 255})
	}
}

// drawBoard paints as much as a Flow board of 9 x 9 needs.
func drawBoard(c Canvas) {
	size := c.Size()
	const n = 9
	pitch := float64(min(size.X, size.Y)) / n
	top := float64(size.Y)/2 - pitch*n/2
	c.Fill(color.NRGBA{A: 255})
	c.Text(float64(size.X)/2, pitch, pitch/2, 0.5, "Level 12", color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	for i := 0; i <= n; i++ {
		grey := color.NRGBA{R: 90, G: 90, B: 60, A: 255}
		c.Rect(0, top+float64(i)*pitch-1, pitch*n, top+float64(i)*pitch+1, grey)
		c.Rect(float64(i)*pitch-1, top, float64(i)*pitch+1, top+pitch*n, grey)
	}
	for row := range n {
		for col := range n {
			tint := color.NRGBA{R: uint8(row * 28), G: uint8(col * 28), B: 200, A: 255}
			c.Rect(float64(col)*pitch, top+float64(row)*pitch, float64(col+1)*pitch, top+float64(row+1)*pitch, color.NRGBA{R: tint.R, G: tint.G, B: tint.B, A: 60})
			c.Circle((float64(col)+0.5)*pitch, top+(float64(row)+0.5)*pitch, pitch/3, tint)
		}
		c.Polyline([][2]float64{{pitch / 2, top + (float64(row)+0.5)*pitch}, {pitch * 5.5, top + (float64(row)+0.5)*pitch}}, pitch/3, color.NRGBA{R: 200, G: uint8(row * 20), A: 255})
	}
}

func (b *boardApp) Touch(action int, x, y float64, now time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if action == TouchDown {
		b.trail = nil
	}
	b.trail = append(b.trail, [2]float64{x, y})
	b.calls = append(b.calls, fmt.Sprintf("%s %g,%g", [...]string{"down", "move", "up"}[action], x, y))
}

func (b *boardApp) Back(time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.backs++
}

func (b *boardApp) touches() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.calls...)
}

const boardPackage = "com.example.board"

// newPhone makes a phone with a board on its screen, listening on a free port.
func newPhone(t testing.TB, config Config) (*Phone, *boardApp) {
	t.Helper()
	board := &boardApp{name: boardPackage}
	if config.Apps == nil {
		config.Apps = []Installed{Instance(board)}
		config.Foreground = boardPackage
	}
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(270, 585)
	}
	phone, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	return phone, board
}
