package sabr

import "strings"

// Result is a solution of a program: a board for each stage and the steps
// between them.
type Result struct {
	program *Program
	// Cells are the names of the board's cells.
	Cells []string `json:"cells"`
	// Boards are the symbols of the cells, by stage and cell.
	Boards [][]string `json:"boards"`
	// Steps are the steps taken from each stage to the next. There is one list
	// fewer than there are boards.
	Steps [][]Step `json:"steps,omitempty"`
	// Stats is the effort, if Solve found the result.
	Stats Stats `json:"stats"`
}

// Step is one Trans, TransSim or TransLock taken by one instance of its object.
type Step struct {
	Trans    string `json:"trans"`    // empty if it has no name
	Instance string `json:"instance"` // empty if it has no name, or is the Board
}

// String is the step as it is printed: both names, or the one there is.
func (s Step) String() string {
	if s.Trans == "" || s.Instance == "" {
		return s.Trans + s.Instance
	}
	return s.Trans + " " + s.Instance
}

// Stages is the number of stages.
func (r *Result) Stages() int { return len(r.Boards) }

// String is the result as it is printed: for each stage the board, line by line, and a blank
// line; between two stages also the steps, one a line, and another blank line.
func (r *Result) String() string {
	var out strings.Builder
	for t, symbols := range r.Boards {
		if t > 0 {
			for _, s := range r.Steps[t-1] {
				out.WriteString(s.String() + "\n")
			}
			out.WriteByte('\n')
		}
		for _, line := range r.program.layout {
			for _, item := range line {
				if item.dots != "" {
					out.WriteString(item.dots + " ")
				} else {
					out.WriteString(symbols[item.cell] + " ")
				}
			}
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
	return out.String()
}
