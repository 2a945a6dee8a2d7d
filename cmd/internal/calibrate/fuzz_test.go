package calibrate

import "testing"

// FuzzRectangle reads any text as the place of a board: what is accepted is large
// enough and within a frame's quadrant.
func FuzzRectangle(f *testing.F) {
	for _, text := range []string{"", "5", "3,272,537,808", "40,-35", "40,-35,1.01,0.99,0.5", "nan,inf", "9223372036854775807,0,-9223372036854775789,20"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		box, err := parseRectangle(text)
		if text != "" && err == nil && (box.Min.X < 0 || box.Min.Y < 0 || box.Dx() < 16 || box.Dy() < 16) {
			t.Errorf("board %q: %v", text, box)
		}
	})
}
