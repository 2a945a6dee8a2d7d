package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tapwise/adb"
)

func (a *app) connectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "connect HOST[:PORT]",
		Short: "connect a phone over the network",
		Long: `Connect a phone over the network, and start the adb server where none runs.

On Android 11 and later switch on "Wireless debugging" in the developer options, pair
the phone once (tapwise pair), and connect to the address that its page shows. On older
phones plug the cable in, type "adb tcpip 5555", unplug it, and connect to the phone's
address; 5555 is the port when none is given.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.connect(cmd.Context(), args[0]) },
	}
}

func (a *app) connect(ctx context.Context, address string) error {
	if err := adb.CheckAddress(address); err != nil {
		return badInput(err)
	}
	client, err := a.startedServer(ctx)
	if err != nil {
		return err
	}
	phone, err := client.ConnectPhone(ctx, address)
	if err != nil {
		return phoneFailed(err)
	}
	if a.json {
		return a.printJSON(phone)
	}
	how := "connected"
	if phone.Already {
		how = "was connected already"
	}
	table := a.table()
	table.Row(phone.Serial, how, phone.Model)
	return table.Flush()
}

// startedServer is the client of an adb server that runs. It says so where it had to be
// started.
func (a *app) startedServer(ctx context.Context) (*adb.Client, error) {
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	started, err := client.StartServer(ctx)
	if err != nil {
		return nil, phoneFailed(err)
	}
	if started {
		fmt.Fprintf(a.err, "no adb server was running: started one on %s, which goes on running (`adb kill-server` ends it)\n", client.Address())
	}
	return client, nil
}
