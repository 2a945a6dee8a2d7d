package simphone

import (
	"image"
	"io"
	"testing"
)

// BenchmarkDraw draws the board of the tests on a common screen.
func BenchmarkDraw(b *testing.B) {
	c := newCanvas(image.Pt(1080, 2340))
	for b.Loop() {
		drawBoard(c)
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, form := range []struct {
		name string
		png  bool
	}{{"raw", false}, {"png", true}} {
		b.Run(form.name, func(b *testing.B) {
			phone, _ := newPhone(b, Config{Size: image.Pt(1080, 2340)})
			for b.Loop() {
				phone.screencap(b.Context(), form.png, io.Discard, io.Discard)
			}
		})
	}
}
