package command

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/fleet"
)

// now shows the open runs, what they cost and when they will be done, and the phones that
// stand still.
func (p Program) now(ctx context.Context, client *fleet.Client, _ []string) error {
	phones, err := client.Phones(ctx)
	if err != nil {
		return err
	}
	runs, err := accounts(ctx, client, phones, func(o fleet.Order) bool { return o.State == fleet.Open })
	if err != nil {
		return err
	}
	still, err := client.Standing(ctx, phones, runs...)
	if err != nil {
		return err
	}
	playing := 0
	for _, phone := range phones {
		if phone.State == fleet.Playing {
			playing++
		}
	}
	if !p.JSON() {
		fmt.Fprintf(p.Err, "%d runs are open; of %d phones %d play, %d stand still\n", len(runs), len(phones), playing, len(still))
	}
	if err := list(p, runs, runCells); err != nil {
		return err
	}
	return list(p, still, stillCells)
}

// accounts returns the accounts of those orders that are wanted, the oldest first.
func accounts(ctx context.Context, client *fleet.Client, phones []fleet.Phone, wanted func(fleet.Order) bool) ([]fleet.Account, error) {
	orders, err := client.Orders(ctx)
	if err != nil {
		return nil, err
	}
	var all []fleet.Account
	for _, o := range orders {
		if !wanted(o) {
			continue
		}
		a, err := client.Account(ctx, o, phones)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

func (p Program) jobs(ctx context.Context, client *fleet.Client, _ []string) error {
	phones, err := client.Phones(ctx)
	if err != nil {
		return err
	}
	all, err := accounts(ctx, client, phones, func(fleet.Order) bool { return true })
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(p.Err, "nothing was ordered")
	}
	return list(p, all, runCells)
}

func (p Program) show(ctx context.Context, client *fleet.Client, args []string) error {
	order, err := client.Order(ctx, args[0])
	if err != nil {
		return cause.Input(err)
	}
	phones, err := client.Phones(ctx)
	if err != nil {
		return err
	}
	run, err := client.Account(ctx, order, phones)
	if err != nil {
		return err
	}
	if err := list(p, run.Levels, levelCells); err != nil {
		return err
	}
	if order.State == fleet.Open {
		still, err := client.Standing(ctx, phones, run)
		if err != nil {
			return err
		}
		if err := list(p, still, stillCells); err != nil {
			return err
		}
	}
	if p.JSON() {
		return p.Print(run)
	}
	fmt.Fprintf(p.Err, "run %s is %s: %d of %d won, %d failed\n%s\n", run.ID, run.State, run.Won, run.Order.Levels, run.Failed, terminal.OneLine(spent(run)))
	if text := rest(run); text != "" {
		fmt.Fprintln(p.Err, terminal.OneLine(text))
	}
	return nil
}

func runCells(a fleet.Account) []any {
	return []any{a.ID, a.Game, a.Pack, a.State, fmt.Sprintf("%d of %d won", a.Won, a.Order.Levels), fmt.Sprintf("%d failed", a.Failed), spent(a), rest(a)}
}

func levelCells(l fleet.LevelCost) []any {
	tries := fmt.Sprintf("%d tries, %d failed, %s", l.Attempts, l.Failures, span(l.PhoneSeconds))
	return []any{"level " + strconv.Itoa(l.Level), l.Worker, l.Phone, bookedText(l.Booked), tries}
}

func stillCells(s fleet.Standing) []any {
	why := s.State + ": " + s.Why
	if s.Seconds > 0 {
		why = fmt.Sprintf("%s for %s: %s", s.State, span(s.Seconds), s.Why)
	}
	if s.Helps != "" {
		why += " (" + s.Helps + ")"
	}
	return []any{s.Worker, s.Serial, why}
}

// spent says what a run has cost.
func spent(a fleet.Account) string {
	return fmt.Sprintf("%s of phones in %s, %d tries, %d failed", span(a.PhoneSeconds), span(a.WallSeconds), a.Attempts, a.Failures)
}

// rest says when a run will be done, or why nobody knows; of one that is over, what went
// wrong.
func rest(a fleet.Account) string {
	switch {
	case a.State != fleet.Open:
		return a.Why
	case a.Unknown != "":
		return "nobody knows when it will be done: " + a.Unknown
	case a.RestSeconds > 0:
		return fmt.Sprintf("done in about %s, by %d phones in %s", span(a.RestSeconds), a.Playing, span(a.RestPhoneSeconds))
	}
	return ""
}

// span is a time as people read it.
func span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", seconds)
	}
	return d.Round(time.Second).String()
}
