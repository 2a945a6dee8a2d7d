// Package puzzlefile reads the files that commands are given: text that holds
// one or more puzzles, pictures of boards, and SABR programs.
//
//	reader := puzzlefile.Reader{Stdin: os.Stdin}
//	puzzles, err := reader.Puzzles(ctx, []string{"pack.txt", "-"}, nil)
//	game, puzzle, err := puzzlefile.Parse(puzzles[0].Text, nil)
//
// Puzzles are separated by blank lines, or as their game says
// ([solvers.Splitter]); lines that begin with "# " are comments.
//
// Errors of reading are about the input ([cause.InputError]) or say why the
// context ended. Those of [Parse] and [ParseSolution] are the game's own.
package puzzlefile
