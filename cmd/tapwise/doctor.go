package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/doctor"
	"tapwise/cmd/internal/play/touchnotes"
	"tapwise/cmd/internal/play/trouble"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "check every part and print the fix for what fails",
		Long: `Doctor checks what playing needs, from the configuration to the phone's screen and
touch, and prints the fix for what fails. It touches nothing on the phone: a key that
does nothing shows whether touches are allowed, and each way to touch is only opened.
For a moment it tries to keep the screen on. A part that lacks only comfort does not
count as failed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// examination is what doctor checks: every way to touch is tried anew.
func (a *app) examination() (doctor.Examination, error) {
	file, err := a.configFile()
	opener := a.opener()
	if notes, ok := opener.ADB.TouchStore.(touchnotes.Folder); ok {
		notes.Anew = true
		opener.ADB.TouchStore = notes
	}
	return doctor.Examination{
		ConfigFile: file, Evidence: a.settings.Play.Evidence,
		Client: opener.Client, Display: a.settings.Display, Serial: a.settings.Serial, Hold: opener.Hold,
	}, err
}

func (a *app) doctor(ctx context.Context) error {
	examination, err := a.examination()
	if err != nil {
		return err
	}
	var failed error // the first failure, which decides the exit code
	err = examination.Run(ctx, func(f doctor.Finding) error {
		if failed == nil && f.Fails() {
			failed = f.Err
		}
		return a.printFinding(f)
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		return codeError(exitCode(failed)) // it is printed already
	}
	return nil
}

func (a *app) printFinding(f doctor.Finding) error {
	if f.Err != nil && f.Fix == "" {
		f.Fix = trouble.Hint(f.Err)
	}
	if a.json {
		return a.printJSON(f)
	}
	_, err := fmt.Fprintf(a.out, "%-8s %-14s %s\n", f.Status, f.Part, oneLine(f.Detail))
	if f.Fix != "" {
		_, err = fmt.Fprintf(a.out, "%23s fix: %s\n", "", oneLine(f.Fix))
	}
	return err
}
