package described

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pzprFolder is where npm has put pzpr (npm install pzpr@0.10.1), for tests that compare
// with its checker: the environment variable PZPR, or ../shared/tools/node_modules.
func pzprFolder() string {
	if f := os.Getenv("PZPR"); f != "" {
		return f
	}
	return "../../../shared/tools/node_modules/pzpr"
}

// unknownToPzpr are the kinds that pzpr 0.10.1 does not open.
const unknownToPzpr = "dbchoco nurimisaki"

// pzprChecker has pzpr judge solutions, one after the other.
type pzprChecker struct {
	in  *json.Encoder
	out *bufio.Scanner
}

func newPzprChecker(t *testing.T) *pzprChecker {
	t.Helper()
	if _, err := os.Stat(pzprFolder()); err != nil {
		t.Logf("without pzpr's checker: npm install pzpr@0.10.1 and PZPR: %v", err)
		return nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Logf("without pzpr's checker: %v", err)
		return nil
	}
	command := exec.Command(node, "testdata/pzpr.js", pzprFolder())
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
	})
	return &pzprChecker{json.NewEncoder(in), bufio.NewScanner(out)}
}

// triangles are pzpr's numbers for the black corners of shakashaka.
var triangles = map[rune]int{'◣': 2, '◢': 3, '◥': 4, '◤': 5}

// check is pzpr's verdict.
func (c *pzprChecker) check(t *testing.T, url string, s *Solution) string {
	t.Helper()
	asked := struct {
		URL   string   `json:"url"`
		Cells [][4]any `json:"cells"`
		Lines [][3]any `json:"lines"`
	}{URL: url}
	g := s.puzzle.givens
	for i, y := range g.layout.layers {
		values := s.values[g.layout.first[i]:]
		for at, cell := range newGrid(g, g.layout.layers).cells {
			bx, by := 2*g.size.Col(cell.at)+1, 2*g.size.Row(cell.at)+1
			if y.kind < lineLayer {
				v := values[at]
				switch {
				case y.kind == numbersLayer:
					asked.Cells = append(asked.Cells, [4]any{bx, by, "anum", v})
				case v > 0 && y.kind == symbolsLayer:
					asked.Cells = append(asked.Cells, [4]any{bx, by, "qans", triangles[y.marks[v]]})
				case v > 0:
					asked.Cells = append(asked.Cells, [4]any{bx, by, "qans", 1})
				}
				continue
			}
			property := "line"
			if y.kind == wallsLayer {
				property = "qans"
			}
			for d, by2 := range [4][2]int{{bx, by - 1}, {bx + 1, by}, {bx, by + 1}, {bx - 1, by}} {
				if k := y.side(g.size, cell.at, d); k >= 0 && values[k] == 1 {
					asked.Lines = append(asked.Lines, [3]any{by2[0], by2[1], property})
				}
			}
		}
	}
	if err := c.in.Encode(asked); err != nil {
		t.Fatal(err)
	}
	if !c.out.Scan() {
		t.Fatalf("pzpr ended: %v", c.out.Err())
	}
	return strings.TrimSpace(c.out.Text())
}
