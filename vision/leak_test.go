//go:build matprofile

package vision

import (
	"bytes"
	"image"
	"testing"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// turned is a picture as on a photograph: turned a little.
func turned(m *image.RGBA) *image.RGBA {
	out := image.NewRGBA(m.Rect)
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			out.SetRGBA(x, y, m.RGBAAt(x+y/20-20, y-x/20+10))
		}
	}
	return out
}

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
		// All other ways to look, which follow each other where the first fails.
		for _, topology := range []screen.Topology{screen.Square, screen.Hex, screen.HexRows, screen.Cube} {
			spec := testSpec
			spec.Topologies = []screen.Topology{topology}
			spec.Discs, spec.Slanted = true, true
			observe(t, blank, spec)
			observe(t, m, spec)
			observe(t, turned(m), spec)
			spec.Walled = true
			observe(t, m, spec)
		}
	}
	if after := gocv.MatProfile.Count(); after != before {
		var b bytes.Buffer
		gocv.MatProfile.WriteTo(&b, 1)
		t.Errorf("%d Mats open, %d before:\n%s", after, before, b.String())
	}
}
