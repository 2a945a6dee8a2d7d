package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/bars"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/fleet"
	"tapwise/solvers/described"
)

// runOptions are the flags of fleet run.
type runOptions struct {
	pack, levels, phones string
	job                  int
	detach               bool
}

// usualJob is the most levels that a phone takes at a time, where nobody says otherwise.
const usualJob = 10

func (p Program) runCommand(with withClient) *cobra.Command {
	var o runOptions
	command := &cobra.Command{
		Use:   "run",
		Short: "play levels on the phones of the fleet",
		Long: `Run plays each of the --levels of a --pack of the --game once, on whichever phones of
the fleet fit and are free, and shows the progress until all are played. Ending this command does not end the run: see fleet jobs, show and cancel.

With a pack a phone plays only levels whose boards are the pack's: it goes on from the
level on its screen to one that is wanted. Without --game and --pack it plays whatever
levels come, as many as --levels says.

The exit code is that of the worst failure, as with clear.`,
		Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, client *fleet.Client, _ []string) error { return p.run(ctx, client, o) }),
	}
	flags := command.Flags()
	flags.StringVar(&o.pack, "pack", "", "`FILE` of the pack, or \"any\": the levels that come (default: the pack that comes with tapwise)")
	flags.StringVar(&o.levels, "levels", "", "the `FIRST-LAST` level of the pack to play, or how many (default: all)")
	flags.StringVar(&o.phones, "phones", "", "which phones: `KEY=PATTERN,…` with model, serial and worker, such as model=Pixel* (default: all)")
	flags.IntVar(&o.job, "job", usualJob, "the most levels that a phone takes at a time")
	flags.BoolVar(&o.detach, "detach", false, "print the run's name and do not wait")
	return command
}

// parseLevels reads FIRST-LAST, or a number of levels from 1. Empty is all of a pack.
func parseLevels(text string, pack int) (first, last int, err error) {
	if text == "" {
		return 1, pack, nil
	}
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		from, to = "1", text
	}
	first, err = strconv.Atoi(from)
	if err == nil {
		last, err = strconv.Atoi(to)
	}
	if err != nil || first < 1 || last < first || last > fleet.MaxLevels {
		return 0, 0, fmt.Errorf("levels %q, expected FIRST-LAST or a number, up to %d", text, fleet.MaxLevels)
	}
	if pack > 0 && last > pack {
		return 0, 0, fmt.Errorf("levels %q, and the pack has %d", text, pack)
	}
	return first, last, nil
}

// order makes the order that the flags ask for.
func (p Program) order(ctx context.Context, o runOptions) (fleet.Order, []fleet.Level, int, error) {
	game, err := p.Game()
	if err != nil {
		return fleet.Order{}, nil, 0, err
	}
	if game == nil {
		return fleet.Order{}, nil, 0, cause.Inputf("fleet run: no game, expected --game")
	}
	order := fleet.Order{Game: game.Name(), Description: described.Carry(game), Pack: "any levels"}
	if order.Phones, err = fleet.ParseWanted(o.phones); err != nil {
		return order, nil, 0, cause.Inputf("fleet run: --%w", err)
	}
	var boards []string
	if o.pack != "any" {
		order.Pack = "the usual pack"
		if o.pack != "" {
			order.Pack = filepath.Base(o.pack)
		}
		if boards, err = p.Levels(ctx, o.pack, game); err != nil {
			return order, nil, 0, err
		}
	} else if o.levels == "" {
		return order, nil, 0, cause.Inputf("fleet run: any levels, expected --levels")
	}
	levels, err := chosen(o.levels, boards)
	if err != nil {
		return order, nil, 0, cause.Inputf("fleet run: --%w", err)
	}
	return order, levels, len(boards), nil
}

// chosen are the levels of a pack's boards that a text names; without boards they are any.
func chosen(text string, boards []string) ([]fleet.Level, error) {
	first, last, err := parseLevels(text, len(boards))
	if err != nil {
		return nil, err
	}
	levels := make([]fleet.Level, 0, last-first+1)
	for n := first; n <= last; n++ {
		l := fleet.Level{Number: n}
		if len(boards) > 0 {
			l.Board = boards[n-1]
		}
		levels = append(levels, l)
	}
	return levels, nil
}

func (p Program) run(ctx context.Context, client *fleet.Client, o runOptions) error {
	if o.job < 1 {
		return cause.Inputf("fleet run: --job is %d, expected 1 or more", o.job)
	}
	order, levels, pack, err := p.order(ctx, o)
	if err != nil {
		return err
	}
	if order, err = client.Submit(ctx, order, levels, pack, o.job); err != nil {
		return err
	}
	if o.detach {
		if p.JSON() {
			return p.Print(order)
		}
		fmt.Fprintln(p.Out, order.ID)
		return nil
	}
	fmt.Fprintf(p.Err, "run %s: %d levels of %s in %d jobs\n", order.ID, order.Levels, order.Game, order.Jobs)
	show := &follower{Program: p, told: map[int]bool{}}
	progress, err := client.Follow(ctx, order.ID, show.show)
	show.below.Clear(p.Err)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			fmt.Fprintf(p.Err, "run %s goes on; `tapwise fleet cancel %s` ends it\n", order.ID, order.ID)
		}
		return err
	}
	return p.verdict(progress)
}

// verdict says how a run ended; its exit code is the worst level's.
func (p Program) verdict(progress fleet.Progress) error {
	fmt.Fprintf(p.Err, "%d of %d levels won", progress.Won, progress.Order.Levels)
	if progress.Failed > 0 {
		fmt.Fprintf(p.Err, ", %d failed", progress.Failed)
	}
	fmt.Fprintln(p.Err)
	if progress.Order.State == fleet.Cancelled {
		fmt.Fprintf(p.Err, "run %s was cancelled\n", progress.Order.ID)
		return context.Canceled
	}
	var codes []int
	for _, b := range progress.Booked {
		if b.Verdict == fleet.Failed {
			codes = append(codes, max(1, b.Code))
		}
	}
	return p.Exit(codes)
}

// follower shows how far a run is: a line for each level, and on a terminal below them a
// bar for each phone and one for all.
type follower struct {
	Program
	told  map[int]bool // the levels whose line was printed
	below terminal.Below
	last  time.Time // when they were drawn
}

// redraw is the shortest time between two drawings of the bars.
const redraw = 100 * time.Millisecond

func (f *follower) show(p fleet.Progress) {
	var news []int
	for level := range p.Booked {
		if !f.told[level] {
			news = append(news, level)
		}
	}
	if len(news) == 0 && time.Since(f.last) < redraw {
		return
	}
	f.below.Clear(f.Err)
	slices.Sort(news)
	for _, level := range news {
		f.told[level] = true
		b := p.Booked[level]
		if f.JSON() {
			_ = f.Print(b) // what fails to be printed ends the program
		} else {
			fmt.Fprintf(f.Out, "%6d  %s  %s  %s\n", level, b.Worker, b.Phone, terminal.OneLine(bookedText(b)))
		}
	}
	if f.Terminal() {
		f.bars(p)
	}
}

// bars draws what each phone has won of the run, and how far all are.
func (f *follower) bars(p fleet.Progress) {
	won := map[string]int{}
	for _, b := range p.Booked {
		if b.Verdict == fleet.Won {
			won[b.Worker+" "+b.Phone]++
		}
	}
	for _, phone := range p.Phones {
		n := won[phone.Worker+" "+phone.Serial]
		f.below.Draw(f.Err, fmt.Sprintf("%s  %s %s  %s", bars.Part(n, p.Order.Levels), phone.Worker, phone.Serial, terminal.OneLine(fmt.Sprintf("%s level %d %s", phone.State, phone.Level, phone.Why))))
	}
	f.below.Draw(f.Err, bars.Part(p.Won+p.Failed, p.Order.Levels))
	f.last = time.Now()
}
