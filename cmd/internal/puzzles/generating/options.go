package generating

import (
	"strconv"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// GradeHelp tells the grades of the games that have their own.
func GradeHelp() string {
	var help []string
	for _, game := range all.Games() {
		if g, ok := game.(solvers.Grader); ok {
			help = append(help, "for "+game.Name()+" "+strings.Join(g.Grades(), ", "))
		}
	}
	return strings.Join(help, "; ")
}

// VariantHelp tells the variants of the games.
func VariantHelp() string {
	var help []string
	for _, game := range all.Games() {
		if names := game.About().Variants; len(names) > 0 {
			help = append(help, "for "+game.Name()+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(help, "; ")
}

// ParseSize reads WxH, or N for NxN, in cells or pixels; for an empty text both are 0.
// What it refuses is a [cause.InputError].
func ParseSize(text string) (cols, rows int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	width, height, two := strings.Cut(text, "x")
	if !two {
		height = width
	}
	cols, err = strconv.Atoi(width)
	if err == nil {
		rows, err = strconv.Atoi(height)
	}
	if err != nil || cols < 1 || rows < 1 {
		return 0, 0, cause.Inputf("size %q, expected columns and rows as WxH or N", text)
	}
	return cols, rows, nil
}
