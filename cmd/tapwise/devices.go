package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tapwise/adb"
)

func (a *app) devicesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "list the phones that the adb server knows, and their state",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.devices(cmd.Context()) },
	}
}

// touchOf says how a phone is touched, and why in no better way.
func (a *app) touchOf(ctx context.Context, client *adb.Client, serial string) string {
	device, err := client.Open(ctx, serial)
	if err != nil {
		return err.Error()
	}
	// Trying ways to touch would end the stroke of whoever plays there.
	release, err := a.opener().Hold(ctx, device)
	if err != nil {
		return err.Error()
	}
	defer func() {
		if err := release(); err != nil {
			a.log.Warn("the phone is not let go of", "error", err)
		}
	}()
	choice, err := device.ChooseTouch(ctx)
	if err == nil {
		err = device.CloseTouch(ctx)
	}
	if err != nil {
		return err.Error()
	}
	return choice.String()
}

func (a *app) devices(ctx context.Context) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	devices, err := client.Devices(ctx)
	if err != nil {
		return phoneFailed(err)
	}
	table := a.table()
	for _, d := range devices {
		if a.json {
			if err := a.printJSON(d); err != nil {
				return err
			}
			continue
		}
		table.Row(d.Serial, d.State, d.Model)
		if a.verbose && d.Err() == nil {
			table.Row("", "touch", a.touchOf(ctx, client, d.Serial))
		}
	}
	if len(devices) == 0 {
		fmt.Fprintln(a.err, "no phones: plug one in, switch USB debugging on in its developer options, and see `tapwise doctor`")
	}
	return table.Flush()
}
