package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/adb"
	"tapwise/cmd/internal/console/terminal"
)

func (a *app) pairCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pair HOST:PORT",
		Short: "make a phone with wireless debugging accept this computer",
		Long: `Make a phone with wireless debugging (Android 11 and later) accept this computer, and
start the adb server where none runs.

On the phone: developer options, "Wireless debugging", "Pair device with pairing code". The
dialog shows the address for this command and a code of six digits, which is asked for, or
read from standard input when that is no terminal. The address for tapwise connect is the
other one, on the page behind the dialog.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pair(cmd.Context(), args[0]) },
	}
}

func (a *app) pair(ctx context.Context, address string) error {
	if err := adb.CheckPairingAddress(address); err != nil {
		return badInput(err)
	}
	client, err := a.startedServer(ctx)
	if err != nil {
		return err
	}
	code, err := a.pairingCode(ctx)
	if err != nil {
		return err
	}
	if err := adb.CheckPairingCode(code); err != nil {
		return badInput(err)
	}
	said, err := client.Pair(ctx, address, code)
	if err != nil {
		return phoneFailed(err)
	}
	if a.json {
		return a.printJSON(struct {
			Address string `json:"address"`
			Paired  bool   `json:"paired"`
		}{address, true})
	}
	fmt.Fprintln(a.out, oneLine(said))
	fmt.Fprintln(a.err, "next: `tapwise connect HOST:PORT` with the address on the phone's page \"Wireless debugging\" (not the dialog's)")
	return nil
}

// longestCode bounds a line that is to be a code, in bytes.
const longestCode = 64

// pairingCode asks for the code, and does not show what is typed.
func (a *app) pairingCode(ctx context.Context) (string, error) {
	if file, ok := a.in.(*os.File); ok && terminal.IsInput(file) {
		fmt.Fprint(a.err, "pairing code: ")
		code, err := terminal.ReadSecret(ctx, file)
		fmt.Fprintln(a.err)
		if err != nil {
			return "", fmt.Errorf("read the pairing code: %w", err)
		}
		return strings.TrimSpace(code), nil
	}
	line, err := bufio.NewReader(io.LimitReader(a.in, longestCode)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the pairing code: %w", err)
	}
	code := strings.TrimSpace(line)
	if code == "" {
		return "", badInputf("pair: no pairing code on standard input, expected the six digits that the phone shows")
	}
	return code, nil
}
