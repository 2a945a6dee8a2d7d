package terminal

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table prints rows in columns that are as wide as they have to be. Its Flush ends it.
type Table struct{ *tabwriter.Writer }

// NewTable begins a table.
func NewTable(to io.Writer) Table { return Table{tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)} }

// Row adds a row of cells.
func (t Table) Row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			fmt.Fprint(t, "\t")
		}
		fmt.Fprint(t, OneLine(fmt.Sprint(c)))
	}
	fmt.Fprintln(t) // what fails is told by Flush
}
