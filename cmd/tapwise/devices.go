package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/adb"
	"tapwise/cmd/internal/console/wording"
)

func (a *app) devicesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "list the phones that the adb server knows, and their state",
		Long: `Devices lists the phones that the adb server knows, and their state. A phone that is
connected in several ways, such as by USB and by network, is listed once, with its other
names; --serial takes any of them. Of phones that have the same serial, as cheap ones do,
the names are usb:PATH or transport_id:ID, as "adb devices -l" prints them.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.devices(cmd.Context()) },
	}
}

// touchOf says how a phone is touched, and why in no better way.
func (a *app) touchOf(ctx context.Context, client *adb.Client, serial string) string {
	device, err := client.Open(ctx, serial)
	if err != nil {
		return wording.Of(err)
	}
	// Trying ways to touch would end the stroke of whoever plays there.
	release, err := a.opener().Hold(ctx, device)
	if err != nil {
		return wording.Of(err)
	}
	defer func() {
		if err := release(); err != nil {
			a.log.Warn("the phone is not let go of", "error", err)
		}
	}()
	choice, err := device.Hand().Choose(ctx)
	if err != nil {
		return wording.Of(err)
	}
	if err := device.Hand().Close(ctx); err != nil {
		return choice.String() + "; what touching changed was not given back: " + err.Error()
	}
	return choice.String()
}

// captureOf says how a phone's screen is looked at, and why in no better way.
func (a *app) captureOf(ctx context.Context, client *adb.Client, serial string) string {
	device, err := client.Open(ctx, serial)
	if err == nil {
		_, err = device.ChooseCapture(ctx)
	}
	if err != nil {
		return wording.Of(err)
	}
	_, _ = device.Glimpse(ctx, 0, time.Second) // the choice says why there is no stream
	choice := device.LookChoice()
	if err := device.CloseEye(ctx); err != nil {
		return choice + "; the stream is not ended: " + wording.Of(err)
	}
	return choice
}

func (a *app) devices(ctx context.Context) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	phones, err := client.Phones(ctx)
	if err != nil {
		return phoneFailed(err)
	}
	table := a.table()
	for _, p := range phones {
		if a.json {
			if err := a.printJSON(p); err != nil {
				return err
			}
			continue
		}
		name := p.Names[0]
		var more []any
		if name != p.Serial {
			more = append(more, "serial "+p.Serial)
		}
		if len(p.Names) > 1 {
			more = append(more, "also "+strings.Join(p.Names[1:], ", "))
		}
		table.Row(append([]any{name, p.State, p.Model}, more...)...)
		if a.verbose && p.Err() == nil {
			table.Row("", "touch", a.touchOf(ctx, client, name))
			table.Row("", "capture", a.captureOf(ctx, client, name))
		}
	}
	if len(phones) == 0 {
		fmt.Fprintln(a.err, "no phones: plug one in, switch USB debugging on in its developer options, and see `tapwise doctor`")
	}
	return table.Flush()
}
