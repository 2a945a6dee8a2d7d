package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/cmd/internal/show/reading"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// solveOptions are the flags of solve.
type solveOptions struct {
	solving.Listing
	quiet   bool
	cover   bool
	tidy    bool
	explain bool
	moves   int
	animate bool
	picture string // a file to draw the solution into; empty draws nothing
	hint    bool
	why     bool
	jobs    int
	timeout time.Duration
	fleet   string // the hub's address; empty solves here
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

With --count and a --limit it counts all solutions, exactly and whatever the limit,
where the game can count without listing them (` + all.With("Counter") + `) and the board is
narrow enough (about 12 cells); else one by one, up to the limit, all with --limit 0.
-v and --json say which. With --picture, it also draws two solutions where they differ.

With --picture FILE it draws the solution too, to be printed (.png, .svg) or as it
grows (.gif). Of several puzzles the n-th, counted from 1, is drawn into NAME-n.png.
With --hint it prints only the next stroke or move, in words, and below it a rule that forces
it, where the game has one in words; in a picture of a
level that is partly played it is the first one missing, and --picture draws it alone.
With --why it prints a step that every solution takes and that is not drawn, with the
rule that forces it; where there is no solution, the reason.

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
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Exact = o.Count && !o.All && o.Limit == 0 && cmd.Flags().Changed("limit")
			return a.solve(cmd.Context(), args, o)
		},
	}
	flags := command.Flags()
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print a line a puzzle, NAME FLAG SECONDS NODES, and last N total FLAGS SECONDS NODES")
	flags.BoolVar(&o.Count, "count", false, "count solutions, up to --limit where they are listed")
	flags.BoolVar(&o.All, "all", false, "print all solutions, or as many as --limit")
	flags.BoolVar(&o.cover, "cover", true, all.With("Coverer")+": every cell must be covered; --cover=false leaves that rule out")
	flags.BoolVar(&o.tidy, "tidy", false, all.With("Tidier")+": leave out solutions of which a path can be shortened, over its own or unused cells, as contests do")
	flags.IntVar(&o.Limit, "limit", 0, "most solutions to look for with --count (default 2; 0: count all exactly) and --all (default no limit)")
	flags.IntVar(&o.moves, "max-moves", 0, all.With("Mover")+": most moves of a solution to look for with --count and --all (0: any number)")
	flags.BoolVar(&o.animate, "animate", false, "show in the terminal how each solution comes about")
	flags.StringVar(&o.picture, "picture", "", "draw the solution into `FILE`, which ends in .png, .svg or .gif; the latter shows it as it grows")
	flags.BoolVar(&o.hint, "hint", false, "print the next stroke or move only")
	flags.BoolVar(&o.why, "why", false, "print a step that must be made, and the rule that forces it")
	flags.BoolVar(&o.explain, "explain-all", false, "print how hard the puzzle is and all steps, each with the rule that forces it where one does; --picture FILE.gif shows them one after the other")
	flags.IntVar(&o.jobs, "jobs", 1, "how many puzzles to solve at once")
	flags.DurationVar(&o.timeout, "timeout", 0, "most time for one puzzle, such as 10s")
	flags.StringVar(&o.fleet, "fleet", "", "solve on the cores of the workers of the hub at that `URL`; pictures and SABR programs are solved here")
	return command
}

func (a *app) solve(ctx context.Context, files []string, o solveOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	puzzles, err := a.inputs(ctx, files, game)
	if err != nil {
		return err
	}
	if o.picture != "" {
		if err := solving.CheckPictures(o.picture, puzzles); err != nil {
			return err
		}
	}
	job := solving.Job{
		Listing: o.Listing, Game: game, Uncovered: !o.cover, Tidy: o.tidy, Moves: o.moves, Hint: o.hint, Why: o.why, Explain: o.explain, Drawn: o.picture != "", Workers: o.jobs, Timeout: o.timeout,
	}
	progress := solving.NewProgress(len(puzzles), o.timeout)
	if o.Count || o.All {
		progress.Counted = "solutions"
	}
	results, over, err := a.solveAll(ctx, job, puzzles, progress, o.fleet)
	if err != nil {
		return err
	}
	defer over()
	end := a.line.During(progress.Text)
	defer end()
	var total solvers.Stats
	tally := solving.Tally{}
	var worst error
	done := 0
	for i, result := range results {
		r, begun := <-result
		if !begun {
			break // interrupted
		}
		done++
		total = total.Add(r.Stats)
		tally[r.Status]++
		worst = worse(worst, r.Err)
		if err := a.line.Without(func() error { return a.showSolved(ctx, puzzles, i, r, o) }); err != nil {
			return err
		}
	}
	end()
	if o.quiet && !a.json {
		fmt.Fprintf(a.out, "%d total %s %.3f %d\n", done, tally.Letters(), total.Seconds, total.Nodes)
	}
	if ctx.Err() != nil {
		if !o.quiet && len(puzzles) > 1 {
			fmt.Fprintf(a.err, "tapwise: %d of %d puzzles done: %s\n", done, len(puzzles), tally)
		}
		return context.Cause(ctx)
	}
	if worst != nil {
		return codeError(exitCode(worst))
	}
	return nil
}

// solveAll begins to solve puzzles, here or by the fleet of a hub; it reads pictures as the
// command read does. What it returns is to be called when all results are there.
func (a *app) solveAll(ctx context.Context, job solving.Job, puzzles []puzzlefile.Puzzle, progress *solving.Progress, url string) ([]<-chan solving.Result, func(), error) {
	job.Picture = func(ctx context.Context, file string, data []byte, game solvers.Game) (solving.Reading, error) {
		r, err := reading.Read(ctx, a.opener().Reader(), data, game)
		if err != nil {
			return solving.Reading{}, err
		}
		read := solving.Reading{Game: r.Game, Puzzle: r.Puzzle}
		if job.Hint || job.Why || job.Explain {
			read.Fill = a.fill(file, r)
		}
		read.Warning, read.Several = reading.Warning(r.Several, r.Uncovered), r.Several || r.Uncovered
		return read, nil
	}
	return a.fleet().Solve(ctx, url, job, puzzles, progress)
}

// check refuses flags that make no sense or do not go together.
func (o solveOptions) check() error {
	if o.Limit < 0 || o.jobs < 1 || o.timeout < 0 || o.moves < 0 {
		return badInputf("solve: --limit, --max-moves, --jobs and --timeout expect positive values")
	}
	if o.hint && (o.Count || o.All || o.animate || o.quiet) {
		return badInputf("solve: --hint gives one step of one solution, expected no --count, --all, --animate or --quiet with it")
	}
	if o.why && (o.hint || o.Count || o.All || o.animate || o.quiet || o.picture != "") {
		return badInputf("solve: --why tells one step in words, expected no --hint, --count, --all, --animate, --quiet or --picture with it")
	}
	if o.explain && (o.hint || o.why || o.Count || o.All || o.animate || o.quiet) {
		return badInputf("solve: --explain-all tells all steps in words, expected no --hint, --why, --count, --all, --animate or --quiet with it")
	}
	if o.picture != "" {
		return solving.CheckPicture(o.picture)
	}
	return nil
}

// showSolved animates, draws and prints the result of the i-th puzzle.
func (a *app) showSolved(ctx context.Context, puzzles []puzzlefile.Puzzle, i int, r solving.Result, o solveOptions) error {
	if o.animate && r.First != nil && ctx.Err() == nil {
		if err := a.animate(ctx, r.First); err != nil {
			return err
		}
	}
	if o.picture != "" {
		if err := r.Draw(solving.PictureName(o.picture, i, len(puzzles))); err != nil {
			return err
		}
	}
	return a.printSolved(puzzles[i], r, o)
}

func (a *app) printSolved(in puzzlefile.Puzzle, r solving.Result, o solveOptions) error {
	if a.verbose && r.Game != "" {
		a.printEffort(in, r)
	}
	if a.json {
		for _, line := range r.Lines() {
			if err := a.printJSON(line); err != nil {
				return err
			}
		}
		return nil
	}
	if r.Warning != "" {
		fmt.Fprintf(a.err, "tapwise: %s: warning: %s\n", in.Name(), r.Warning)
	}
	if o.quiet {
		_, err := fmt.Fprintf(a.out, "%s %s %.6f %d\n", in.Name(), r.Status.Letter(), r.Stats.Seconds, r.Stats.Nodes)
		if r.Status == solving.Failed {
			a.printUnsolved(in, r.Err)
		}
		return err
	}
	if r.Status != solving.Solved {
		a.printUnsolved(in, r.Err)
		if r.Status != solving.Timeout || r.Solutions == 0 {
			return nil
		}
	}
	if in.Of > 1 || o.Count {
		title := in.Name()
		if o.Count {
			title += ": " + r.CountText(o.Limit)
		}
		if _, err := fmt.Fprintf(a.out, "# %s\n", title); err != nil {
			return err
		}
	}
	if o.Count && !o.All {
		return nil
	}
	if o.why {
		return a.printWhy(in, r)
	}
	if o.explain {
		return a.printSteps(in, r)
	}
	return a.printTexts(in, r)
}

// printWhy prints a step that must be made.
func (a *app) printWhy(in puzzlefile.Puzzle, r solving.Result) error {
	text := "no single rule forces a step"
	if r.Why != nil {
		text = r.Why.Text
	}
	_, err := fmt.Fprintln(a.out, text)
	if in.Of > 1 {
		fmt.Fprintln(a.out)
	}
	return err
}

// printSteps prints how hard the puzzle is, all steps, and why.
func (a *app) printSteps(in puzzlefile.Puzzle, r solving.Result) error {
	if r.Grade != nil {
		fmt.Fprintf(a.out, "# difficulty %s\n", r.Grade)
	}
	for i, step := range r.Steps {
		text := step.Text
		if step.Why != "" {
			text += ": " + step.Why
		}
		if _, err := fmt.Fprintf(a.out, "%d. %s\n", i+1, text); err != nil {
			return err
		}
	}
	if in.Of > 1 {
		fmt.Fprintln(a.out)
	}
	return nil
}

// printTexts prints the hint, or the solutions.
func (a *app) printTexts(in puzzlefile.Puzzle, r solving.Result) error {
	texts := r.Texts
	switch {
	case r.Hint != nil:
		texts = []string{strings.TrimSuffix(r.Hint.Text+"\n"+r.Hint.Why, "\n")}
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
	if in.Of > 1 {
		fmt.Fprintln(a.out)
	}
	return nil
}

// printUnsolved says why a puzzle was not solved.
func (a *app) printUnsolved(in puzzlefile.Puzzle, why error) {
	fmt.Fprintf(a.err, "tapwise: %s: %s\n", in.Name(), wording.Of(why))
	a.printBeside(why)
}

// printEffort prints what was solved, and the effort that it took.
func (a *app) printEffort(in puzzlefile.Puzzle, r solving.Result) {
	board := "of " + r.Game
	if r.Puzzle != nil {
		board += ":\n" + r.Puzzle.String()
	}
	took := fmt.Sprintf("%.6f s", r.Stats.Seconds)
	if search := min(r.Searching.Seconds(), r.Stats.Seconds); search > 0 { // the engine searched
		took = fmt.Sprintf("set-up %.6f s, search %.6f s", r.Stats.Seconds-search, search)
	}
	fmt.Fprintf(a.err, "%s %s\n%s, %d nodes, %d conflicts\n", in.Name(), board, took, r.Stats.Nodes, r.Stats.Conflicts)
	switch r.Counting {
	case solving.ByFrontier:
		fmt.Fprintln(a.err, "all solutions counted along a frontier, without listing them")
	case solving.ByListing:
		fmt.Fprintln(a.err, "all solutions counted one by one")
	}
}
