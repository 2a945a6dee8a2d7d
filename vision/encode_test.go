package vision

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

func TestJPEG(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 65, 40))
	for y := range 40 {
		for x := range 65 {
			frame.SetRGBA(x, y, color.RGBA{200, 100, uint8(6 * y), 255})
		}
	}
	for shrink, want := range map[int]image.Point{1: {65, 40}, 2: {32, 20}, 40: {1, 1}} {
		data, err := JPEG(frame, shrink, 90)
		if err != nil {
			t.Fatal(err)
		}
		got, err := jpeg.Decode(bytes.NewReader(data)) // which is no code of OpenCV's
		if err != nil {
			t.Fatal(err)
		}
		if got.Bounds().Size() != want {
			t.Errorf("shrunk %d times: %v, expected %v", shrink, got.Bounds(), want)
		}
		r, g, b, _ := got.At(want.X/2, want.Y/2).RGBA()
		blue := 6 * 40 / 2
		if far(r>>8, 200) || far(g>>8, 100) || far(b>>8, uint32(blue)) {
			t.Errorf("shrunk %d times: the middle is %d, %d, %d, expected about 200, 100, %d", shrink, r>>8, g>>8, b>>8, blue)
		}
	}
	for _, shrink := range []int{0, -1, 41} {
		if _, err := JPEG(frame, shrink, 90); err == nil {
			t.Errorf("shrunk %d times: no error", shrink)
		}
	}
	if _, err := JPEG(&image.RGBA{}, 1, 90); err == nil {
		t.Error("an empty frame: no error")
	}
}

func far(got, want uint32) bool { return max(got, want)-min(got, want) > 12 }
