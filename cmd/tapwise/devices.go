package main

import (
	"context"
	"fmt"
	"strings"

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

// waysOf says how a phone is touched and looked at, and why in no better ways.
func (a *app) waysOf(ctx context.Context, client *adb.Client, serial string) (touch, capture string) {
	device, err := client.Open(ctx, serial)
	if err != nil {
		return wording.Of(err), wording.Of(err)
	}
	_, err = device.ChooseCapture(ctx)
	if capture = device.LookChoice(); err != nil {
		capture = wording.Of(err)
	}
	// Trying ways to touch would end the stroke of whoever plays there, and a stream his.
	release, held := a.opener().Hold(ctx, device)
	if held != nil {
		return wording.Of(held), capture
	}
	defer func() {
		if err := release(); err != nil {
			a.log.Warn("the phone is not let go of", "error", err)
		}
	}()
	if err == nil {
		if capture, err = device.TryLooks(ctx); err != nil {
			capture += "; the stream is not ended: " + wording.Of(err)
		}
	}
	choice, err := device.Hand().Choose(ctx)
	if err != nil {
		return wording.Of(err), capture
	}
	if err := device.Hand().Close(ctx); err != nil {
		return choice.String() + "; what touching changed was not given back: " + err.Error(), capture
	}
	return choice.String(), capture
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
			touch, capture := a.waysOf(ctx, client, name)
			table.Row("", "touch", touch)
			table.Row("", "capture", capture)
		}
	}
	if len(phones) == 0 {
		fmt.Fprintln(a.err, "no phones: plug one in, switch USB debugging on in its developer options, and see `tapwise doctor`")
	}
	return table.Flush()
}
