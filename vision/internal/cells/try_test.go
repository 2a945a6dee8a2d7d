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
		found := Boards(rgba)
		took := time.Since(start)
		n++
		verdict := "none"
		if len(found) > 1 {
			verdict = fmt.Sprint("several ", len(found))
		} else if len(found) == 1 {
			if ren(found[0].String()) == ren(strings.Join(lines, "\n")) {
				verdict = fmt.Sprint("right ", found[0].Margin)
				ok++
			} else {
				verdict = fmt.Sprintf("WRONG\n%s\nexpected\n%s", found[0], strings.Join(lines, "\n"))
			}
		}
		t.Logf("%s %dx%d %v %s", filepath.Base(f), rows, cols, took, verdict)
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
