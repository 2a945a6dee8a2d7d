package looks

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	sizes      = flag.Int("looks-sizes", 0, "how many looks TestSizes reads of each kind and size of ends; 0 skips it")
	writeSizes = flag.String("write-looks", "", "write the table of TestSizes to the end of this `FILE`")
)

// kindsOfEnds are the kinds of ends in the table of sizes.
var kindsOfEnds = []struct{ name, shape, label string }{
	{"disc", "disc", ""}, {"square", "square", ""}, {"ring", "ring", ""},
	{"letter", "none", "letter"}, {"digit", "none", "number"}, {"picture", "picture", ""},
}

// The sizes of ends in the table: halves of their widths, in hundredths of a pitch.
const leastSize, mostSize, sizeStep = 15, 48, 3

// sizesFirst is the seed of the first look whose ends are given another kind and size.
const sizesFirst = 9000

// sizesBegin is the line after which the table of sizes stands in its file.
const sizesBegin = "<!-- The table is written by `go test ./cmd/internal/sim/looks -run TestSizes -looks-sizes 3 -write-looks FILE`. -->"

// TestSizes reads looks whose ends are of every kind and size, else as random looks are,
// and makes a table of them. No board may be read wrongly.
func TestSizes(t *testing.T) {
	gametest.Long(t)
	if *sizes == 0 {
		t.Skip("-looks-sizes N reads N looks of each kind and size of ends")
	}
	p := &painter{t: t}
	var looks []Look
	for seed := uint64(sizesFirst); len(looks) < *sizes; seed++ {
		l, err := New(t.Context(), seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		if l.Ends.Shape != "none" { // its ends may all have one colour
			looks = append(looks, l)
		}
	}
	var all tally
	var table strings.Builder
	fmt.Fprintf(&table, "| half the width |%s\n|---|%s\n", columns(" %s |"), strings.Repeat("---|", len(kindsOfEnds)))
	for size := leastSize; size <= mostSize; size += sizeStep {
		fmt.Fprintf(&table, "| %.2f |", float64(size)/100)
		for _, kind := range kindsOfEnds {
			var n tally
			for _, l := range looks {
				l.Ends.Shape, l.Ends.Label, l.Ends.Radius = kind.shape, kind.label, float64(size)/100
				n.add(readAs(t, p, l, fmt.Sprintf("%s-%d-%d", kind.name, size, l.Seed)))
			}
			fmt.Fprintf(&table, " %s |", n)
			all.add(n)
		}
		table.WriteByte('\n')
	}
	fmt.Fprintf(&table, "\nTogether: %d looks, %d read, %d refused, %d wrong.\n", all.all(), all.right, all.refused, all.wrong)
	t.Logf("\n%s", table.String())
	if *writeSizes == "" {
		return
	}
	text, err := os.ReadFile(*writeSizes)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), sizesBegin)
	if !found {
		t.Fatalf("%s: no line %q", *writeSizes, sizesBegin)
	}
	if err := os.WriteFile(*writeSizes, []byte(before+sizesBegin+"\n\n"+table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// columns are the names of the kinds of ends, each in a format.
func columns(format string) string {
	var text strings.Builder
	for _, kind := range kindsOfEnds {
		fmt.Fprintf(&text, format, kind.name)
	}
	return text.String()
}

func (t *tally) add(more tally) {
	t.right += more.right
	t.refused += more.refused
	t.wrong += more.wrong
}

// String is right / refused / wrong.
func (t tally) String() string { return fmt.Sprintf("%d / %d / %d", t.right, t.refused, t.wrong) }

// readAs reads a look, the frame of which is kept under a name.
func readAs(t *testing.T, p *painter, l Look, name string) (n tally) {
	t.Helper()
	data, _ := p.frameNamed(l, name)
	frame, err := vision.Decode(t.Context(), data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
	sight, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{}, await.Hang)
	switch {
	case err != nil:
		n.refused++
		t.Logf("%s: refused: %v", name, err)
	case gametest.Relettered(sight.Puzzle.String()) != gametest.Relettered(strings.ReplaceAll(l.Levels[0], "/", "\n")):
		n.wrong++
		t.Errorf("%s read wrongly as\n%s\nexpected\n%s", name, sight.Puzzle, l.Levels[0])
	default:
		n.right++
	}
	return n
}
