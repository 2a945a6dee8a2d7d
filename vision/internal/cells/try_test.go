package cells

import (
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	folder := os.Getenv("TRY")
	files, _ := filepath.Glob(folder + "/*.png")
	ok := 0
	n := 0
	for _, f := range files {
		r, _ := os.Open(f)
		im, err := png.Decode(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		rgba := image.NewRGBA(im.Bounds())
		draw.Draw(rgba, rgba.Rect, im, im.Bounds().Min, draw.Src)
		truth, _ := os.ReadFile(strings.TrimSuffix(f, "png") + "board.txt")
		lines := strings.Split(strings.TrimSpace(string(truth)), "\n")
		rows, cols := len(lines), len(lines[0])
		start := time.Now()
		found := Find(rgba)
		took := time.Since(start)
		n++
		verdict := "NO"
		for i, l := range found {
			if l.Rows == rows && l.Cols == cols {
				verdict = fmt.Sprintf("yes %d of %d", i, len(found))
				b, yes := Sort(rgba, l)
				if yes && ren(b.String()) == ren(strings.Join(lines, "\n")) {
					ok++
					verdict += " right"
				} else {
					verdict += fmt.Sprintf(" WRONG %v\n%s\nexpected\n%s\n", yes, b, strings.Join(lines, "\n"))
				}
				verdict += fmt.Sprint(" margin ", b.Margin)
				took = time.Since(start)
				break
			}
		}
		t.Logf("%s %dx%d %s %v", filepath.Base(f), rows, cols, verdict, took)
		if verdict == "NO" {
			for _, l := range found {
				t.Logf("    %+v", l)
			}
		}
	}
	t.Logf("%d of %d", ok, n)
}

func ren(board string) string {
	names := map[rune]rune{}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '\n' || r == '?' {
			return r
		}
		if _, ok := names[r]; !ok {
			names[r] = rune('A' + len(names))
		}
		return names[r]
	}, board)
}
