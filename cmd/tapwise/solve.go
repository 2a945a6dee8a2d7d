package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/sabr"
)

// solveOptions are the flags of solve.
type solveOptions struct {
	listing
	quiet   bool
	cover   bool
	moves   int
	animate bool
	picture string // a file to draw the solution into; empty draws nothing
	hint    bool
	jobs    int
	timeout time.Duration
}

// listing are the flags that say how many solutions to look for.
type listing struct {
	count bool
	all   bool
	limit int
}

// most is the number of solutions to look for; 0 is all there are.
func (l listing) most() int {
	switch {
	case l.limit > 0:
		return l.limit
	case l.all:
		return 0
	case l.count:
		return 2
	}
	return 1
}

func (a *app) solveCommand() *cobra.Command {
	var o solveOptions
	command := &cobra.Command{
		Use:   "solve FILE…",
		Short: "solve puzzles, or pictures of them",
		Long: `Solve reads files of one or more puzzles separated by blank lines, folders of
such files, pictures of boards, SABR programs (*.tb) or standard input ("-"), and
prints each solution in the game's notation. Every solution is checked before it is printed.
When it is interrupted, or a puzzle is out of time, it prints what it has. On a
terminal a search that takes longer than two seconds shows what it has so far;
--timeout bounds it. With -v the board that was read, the time that setting up and
searching took, and the nodes of the search are printed to stderr.

With --picture FILE it draws the solution too, to be printed (.png, .svg) or as it
grows (.gif). Of several puzzles the n-th, counted from 1, is drawn into NAME-n.png.
With --hint it prints only the next stroke or move, in words; in a picture of a
level that is partly played it is the first one missing, and --picture draws it alone.

With -q it prints a line a puzzle and one of their sum:

  NAME FLAG SECONDS NODES
  N total FLAGS SECONDS NODES

FLAG is s solved, u unsolvable, t out of time or e error; FLAGS are those that
occurred, each once, in this order: "5 total s 0.704 1000676" when all five were
solved, "5 total su 0.704 1000676" when one or more of them were unsolvable.

Exit code 3 says that a puzzle has no solution, 7 that one is not decided within
--timeout. When several puzzles end differently, bad input (2) is worse than a
picture that cannot be read (4), which is worse than 7, which is worse than 3.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.solve(cmd.Context(), args, o) },
	}
	flags := command.Flags()
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print a line a puzzle, NAME FLAG SECONDS NODES, and last N total FLAGS SECONDS NODES")
	flags.BoolVar(&o.count, "count", false, "count solutions, up to --limit")
	flags.BoolVar(&o.all, "all", false, "print all solutions, or as many as --limit")
	flags.BoolVar(&o.cover, "cover", true, "flow: every cell must be covered; --cover=false solves Numberlink proper")
	flags.IntVar(&o.limit, "limit", 0, "most solutions to look for with --count (default 2) and --all (default no limit)")
	flags.IntVar(&o.moves, "max-moves", 0, "asteroid: most moves of a solution to look for with --count and --all (0: any number)")
	flags.BoolVar(&o.animate, "animate", false, "show in the terminal how each solution comes about")
	flags.StringVar(&o.picture, "picture", "", "draw the solution into `FILE`, which ends in .png, .svg or .gif; the latter shows it as it grows")
	flags.BoolVar(&o.hint, "hint", false, "print the next stroke or move only")
	flags.IntVar(&o.jobs, "jobs", 1, "how many puzzles to solve at once")
	flags.DurationVar(&o.timeout, "timeout", 0, "most time for one puzzle, such as 10s")
	return command
}

// solved is what solve says of one puzzle.
type solved struct {
	File      string         `json:"file"`
	Index     int            `json:"index"`
	Game      string         `json:"game,omitempty"`
	Status    string         `json:"status"` // solved, unsolvable, timeout, error
	Solution  string         `json:"solution,omitempty"`
	Paths     [][]board.Cell `json:"paths,omitempty"`
	Moves     []string       `json:"moves,omitempty"`
	Hint      *hintJSON      `json:"hint,omitempty"`
	Picture   string         `json:"picture,omitempty"` // the file it was drawn into
	Solutions int            `json:"solutions"`
	Stats     solvers.Stats  `json:"stats"`
	Warning   string         `json:"warning,omitempty"`
	Error     string         `json:"error,omitempty"`

	puzzle    solvers.Puzzle
	searching time.Duration    // the part of the time that is not set-up
	texts     []string         // every solution, with --all
	first     solvers.Solution // to be animated and drawn
	err       error
}

func (a *app) solve(ctx context.Context, files []string, o solveOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if o.limit < 0 || o.jobs < 1 || o.timeout < 0 || o.moves < 0 {
		return badInputf("solve: --limit, --max-moves, --jobs and --timeout expect positive values")
	}
	if err := o.checkDrawing(); err != nil {
		return err
	}
	inputs, err := a.inputs(ctx, files, game)
	if err != nil {
		return err
	}
	if err := o.checkPictures(inputs); err != nil {
		return err
	}
	far := &soFar{what: "puzzles", timeout: o.timeout, each: make([]searchSoFar, len(inputs))}
	if o.count || o.all {
		far.found = "solutions"
	}
	end := a.line.during(far.text)
	defer end()
	results := a.solveAll(ctx, inputs, game, o, far)
	var total solvers.Stats
	counts := map[string]int{}
	var worst error
	done := 0
	for i := range inputs {
		r, begun := <-results[i]
		if !begun {
			break // interrupted
		}
		done++
		total = total.Add(r.Stats)
		counts[r.Status]++
		worst = worse(worst, r.err)
		if err := a.line.without(func() error { return a.showSolved(ctx, inputs, i, r, o) }); err != nil {
			return err
		}
	}
	end()
	if o.quiet && !a.json {
		fmt.Fprintf(a.out, "%d total %s %.3f %d\n", done, flags(counts), total.Seconds, total.Nodes)
	}
	if ctx.Err() != nil {
		if !o.quiet && len(inputs) > 1 {
			fmt.Fprintf(a.err, "tapwise: %d of %d puzzles done: %s\n", done, len(inputs), tally(counts))
		}
		return context.Cause(ctx)
	}
	if worst != nil {
		return codeError(exitCode(worst))
	}
	return nil
}

// showSolved animates, draws and prints what was found of one of the inputs.
func (a *app) showSolved(ctx context.Context, inputs []input, i int, r solved, o solveOptions) error {
	if o.animate && r.first != nil && ctx.Err() == nil {
		if err := a.animate(ctx, r.first); err != nil {
			return err
		}
	}
	if o.picture != "" {
		if err := r.draw(o.pictureName(i, len(inputs))); err != nil {
			return err
		}
	}
	return a.printSolved(inputs[i], r, o)
}

// solveAll solves the inputs, several at once, and gives a channel for each. The
// channel of an input that was not begun when the context ended is closed.
func (a *app) solveAll(ctx context.Context, inputs []input, game solvers.Game, o solveOptions, far *soFar) []chan solved {
	results := make([]chan solved, len(inputs))
	for i := range results {
		results[i] = make(chan solved, 1)
	}
	var next int
	var mu sync.Mutex
	for range min(o.jobs, len(inputs)) {
		go func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(inputs) {
					return
				}
				if ctx.Err() != nil {
					close(results[i])
					continue
				}
				results[i] <- a.solveOne(ctx, inputs[i], game, o, &far.each[i])
				far.done.Add(1)
			}
		}()
	}
	return results
}

func (a *app) solveOne(ctx context.Context, in input, game solvers.Game, o solveOptions, far *searchSoFar) solved {
	r := solved{File: in.file, Index: in.index}
	failed := func(status string, err error) solved { return r.failed(status, err) }
	ctx = far.context(ctx)
	if in.program {
		return a.solveProgram(ctx, in, o, far)
	}
	var puzzle solvers.Puzzle
	var err error
	var fill string
	if in.image != nil {
		var reading reading
		if reading, err = a.readPicture(ctx, in.image, game); err == nil {
			game, puzzle = reading.game, reading.puzzle
			if o.hint {
				fill = a.fill(in.file, reading)
			}
			if reading.several {
				r.Warning = severalWarning
			}
		}
	} else {
		game, puzzle, err = parse(in.text, game)
		if err != nil {
			err = badInputf("puzzle at line %d: %w", in.line, err)
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return failed("timeout", err)
	case err != nil:
		return failed("error", err)
	}
	r.Game, r.puzzle = game.Name(), puzzle
	if !o.cover {
		coverer, ok := puzzle.(solvers.Coverer)
		if !ok {
			return failed("error", badInputf("--cover=false: %s has no rule of covering", game.Name()))
		}
		puzzle = coverer.WithoutCover()
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	err = enumerate(ctx, puzzle, o, &r, far)
	r.searching = far.effort.Searching()
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return failed("timeout", stopped(ctx, o, r.Solutions))
	case errors.Is(err, solvers.ErrNoSolution):
		return failed("unsolvable", err)
	case err != nil:
		return failed("error", err)
	}
	if err := r.prepareDrawing(puzzle, fill, o); err != nil {
		return failed("error", err)
	}
	r.Status = "solved"
	if r.Warning != "" {
		r.Solutions = max(r.Solutions, 2)
	}
	return r
}

// stopped says why a search was not ended, and what it had found.
func stopped(ctx context.Context, o solveOptions, solutions int) error {
	why := context.Cause(ctx)
	if errors.Is(why, context.DeadlineExceeded) {
		why = outOfTime("out of time after %v (--timeout)", o.timeout)
	}
	if solutions > 0 {
		return fmt.Errorf("%s, then %w", countText(solutions, solutions, true), why)
	}
	return why
}

func (r solved) failed(status string, err error) solved {
	r.Status, r.err, r.Error = status, err, err.Error()
	return r
}

// solveProgram solves a SABR program.
func (a *app) solveProgram(ctx context.Context, in input, o solveOptions, far *searchSoFar) solved {
	r := solved{File: in.file, Game: "sabr"}
	if o.count || o.all {
		return r.failed("error", badInputf("%s: --count and --all of a SABR program are flags of `tapwise sabr`", in.file))
	}
	if o.hint || o.picture != "" {
		return r.failed("error", badInputf("%s: --hint and --picture are for puzzles, not for SABR programs", in.file))
	}
	program, err := sabr.Parse(in.file, in.text)
	if err != nil {
		return r.failed("error", badInput(err))
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	result, err := program.Solve(ctx, sabr.Options{Progress: func(stages int) { far.stages.Store(int64(stages)) }})
	r.searching = far.effort.Searching()
	switch {
	case ctx.Err() != nil:
		return r.failed("timeout", stopped(ctx, o, 0))
	case errors.Is(err, solvers.ErrNoSolution):
		return r.failed("unsolvable", err)
	case err != nil:
		return r.failed("error", badInput(err)) // it is too large
	}
	r.Status, r.Solutions, r.Stats = "solved", 1, result.Stats.Stats
	r.Solution = strings.TrimSuffix(result.String(), "\n")
	return r
}

// enumerate finds as many solutions as are wanted, each checked. It fails with
// ErrNoSolution when there is none.
func enumerate(ctx context.Context, puzzle solvers.Puzzle, o solveOptions, r *solved, far *searchSoFar) error {
	var wrong error
	limit := o.most()
	yield := func(s solvers.Solution) bool {
		if err := s.Check(); err != nil {
			wrong = fmt.Errorf("the solver's solution does not pass the checker: %w\n%s", err, s)
			return false
		}
		r.Solutions++
		far.found.Add(1)
		if r.Solutions == 1 {
			r.first = s
			r.Solution = s.String()
			if p, ok := s.(solvers.Pather); ok {
				r.Paths = p.Paths()
			}
			if m, ok := s.(solvers.Mover); ok {
				r.Moves = m.Moves()
			}
		}
		if o.all {
			r.texts = append(r.texts, s.String())
		}
		return limit == 0 || r.Solutions < limit
	}
	var err error
	r.Stats, err = puzzle.Enumerate(ctx, solvers.EnumerateOptions{MaxMoves: o.moves}, yield)
	switch {
	case wrong != nil:
		return wrong
	case errors.Is(err, solvers.ErrNoMoves):
		return badInputf("--max-moves: the solutions of %s are no lists of moves", r.Game)
	}
	if err == nil && r.Solutions == 0 {
		err = noSolution(ctx, puzzle)
	}
	return err
}

// noSolution is ErrNoSolution, with the reason in words if the puzzle knows one.
func noSolution(ctx context.Context, puzzle solvers.Puzzle) error {
	if e, ok := puzzle.(solvers.Explainer); ok {
		if reason := e.Reason(); reason != "" {
			return &solvers.NoSolutionError{Reason: reason}
		}
		return solvers.ErrNoSolution
	}
	if _, err := puzzle.Solve(ctx); errors.Is(err, solvers.ErrNoSolution) {
		return err
	}
	return solvers.ErrNoSolution
}

func (a *app) printSolved(in input, r solved, o solveOptions) error {
	if a.verbose && r.Game != "" {
		a.printEffort(in, r)
	}
	if a.json {
		if len(r.texts) < 2 {
			return a.printJSON(r)
		}
		for _, text := range r.texts {
			one := r
			one.Solution, one.Paths, one.Moves = text, nil, nil
			if err := a.printJSON(one); err != nil {
				return err
			}
		}
		return nil
	}
	if r.Warning != "" {
		fmt.Fprintf(a.err, "tapwise: %s: warning: %s\n", in.name(), r.Warning)
	}
	if o.quiet {
		_, err := fmt.Fprintf(a.out, "%s %s %.6f %d\n", in.name(), r.Status[:1], r.Stats.Seconds, r.Stats.Nodes)
		if r.Status == "error" {
			fmt.Fprintf(a.err, "tapwise: %s: %v\n", in.name(), r.err)
			a.printOthers(r.err)
		}
		return err
	}
	if r.Status != "solved" {
		fmt.Fprintf(a.err, "tapwise: %s: %v\n", in.name(), r.err)
		a.printOthers(r.err)
		if r.Status != "timeout" || r.Solutions == 0 {
			return nil
		}
	}
	if in.of > 1 || o.count {
		title := in.name()
		if o.count {
			title += ": " + countText(r.Solutions, o.limit, r.Status != "solved")
		}
		if _, err := fmt.Fprintf(a.out, "# %s\n", title); err != nil {
			return err
		}
	}
	if o.count && !o.all {
		return nil
	}
	texts := r.texts
	switch {
	case r.Hint != nil:
		texts = []string{r.Hint.Text}
	case texts == nil:
		texts = []string{r.Solution}
	}
	for i, text := range texts {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if _, err := fmt.Fprintln(a.out, text); err != nil {
			return err
		}
	}
	if in.of > 1 {
		fmt.Fprintln(a.out)
	}
	return nil
}

// printEffort says what was solved, and what it took.
func (a *app) printEffort(in input, r solved) {
	board := "of " + r.Game
	if r.puzzle != nil {
		board += ":\n" + r.puzzle.String()
	}
	took := fmt.Sprintf("%.6f s", r.Stats.Seconds)
	if search := min(r.searching.Seconds(), r.Stats.Seconds); search > 0 { // of the engine's
		took = fmt.Sprintf("set-up %.6f s, search %.6f s", r.Stats.Seconds-search, search)
	}
	fmt.Fprintf(a.err, "%s %s\n%s, %d nodes, %d conflicts\n", in.name(), board, took, r.Stats.Nodes, r.Stats.Conflicts)
}

// flags are the first letters of the statuses that occurred: "s" when every
// puzzle was solved, "su" when one was unsolvable.
func flags(counts map[string]int) string {
	var text string
	for _, status := range statuses() {
		if counts[status] > 0 {
			text += status[:1]
		}
	}
	return text
}

// statuses are what may be said of a puzzle.
func statuses() []string { return []string{"solved", "unsolvable", "timeout", "error"} }

// tally is how often each status occurred, by its first letter: "28s1u".
func tally(counts map[string]int) string {
	var text string
	for _, status := range statuses() {
		if n := counts[status]; n > 0 {
			text += fmt.Sprintf("%d%s", n, status[:1])
		}
	}
	return text
}

// countText is a number of solutions that may have been cut off at a limit, or
// was cut short.
func countText(n, limit int, cut bool) string {
	if limit == 0 {
		limit = 2
	}
	switch {
	case cut && n == 1:
		return "at least 1 solution"
	case cut, n >= limit && limit > 1:
		return fmt.Sprintf("at least %d solutions", n)
	case n == 1:
		return "1 solution"
	}
	return fmt.Sprintf("%d solutions", n)
}
