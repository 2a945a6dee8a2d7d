//go:build matprofile

package vision

import (
	"bytes"
	"image"
	"testing"

	"gocv.io/x/gocv"
)

// TestLeaks counts the Mats left open. It needs gocv's profile of them:
//
//	go test -tags matprofile -run TestLeaks ./vision
func TestLeaks(t *testing.T) {
	m := board(image.Pt(480, 854), 6, 6).draw()
	blank := image.NewRGBA(image.Rect(0, 0, 480, 854))
	before := gocv.MatProfile.Count()
	for range 3 {
		seen := observe(t, m, testSpec)
		if _, err := Overlay(m, seen, []Mark{{Points: seen.Layout.Centres, Label: "A"}}); err != nil {
			t.Fatal(err)
		}
		observe(t, blank, testSpec)
	}
	if after := gocv.MatProfile.Count(); after != before {
		var b bytes.Buffer
		gocv.MatProfile.WriteTo(&b, 1)
		t.Errorf("%d Mats open, %d before:\n%s", after, before, b.String())
	}
}
