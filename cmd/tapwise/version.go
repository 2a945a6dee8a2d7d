package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/build"
	"tapwise/vision"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the versions of tapwise and of what it is built with",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.version() },
	}
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
