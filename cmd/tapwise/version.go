package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/build"
	"tapwise/cmd/internal/console/licences"
	"tapwise/vision"
)

func (a *app) versionCommand() *cobra.Command {
	var licensed bool
	command := &cobra.Command{
		Use:   "version",
		Short: "print the versions of tapwise and of what it is built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if licensed {
				return a.licences()
			}
			return a.version()
		},
	}
	command.Flags().BoolVar(&licensed, "licences", false, "print the licence of tapwise, and those of what it contains")
	return command
}

func (a *app) licences() error {
	if a.json {
		return a.printJSON(map[string]string{"licences": licences.Text})
	}
	_, err := fmt.Fprint(a.out, licences.Text)
	return err
}

func (a *app) version() error {
	info := build.Read()
	gocv, gadb := info.Module("gocv.io/x/gocv"), info.Module("github.com/electricbubble/gadb")
	if a.json {
		return a.printJSON(map[string]string{
			"tapwise": info.Version, "commit": info.Commit, "go": runtime.Version(), "opencv": vision.OpenCVVersion(), "gocv": gocv, "gadb": gadb,
		})
	}
	_, err := fmt.Fprintf(a.out, "tapwise %s\n%s, OpenCV %s (gocv %s), gadb %s\n", info, runtime.Version(), vision.OpenCVVersion(), gocv, gadb)
	return err
}
