package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tapwise/vision"
)

// version is the program's own; see CHANGELOG.md.
const version = "0.1.0"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the versions of tapwise and of what it is built with",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	gocv, gadb := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			switch module.Path {
			case "gocv.io/x/gocv":
				gocv = module.Version
			case "github.com/electricbubble/gadb":
				gadb = module.Version
			}
		}
	}
	if a.json {
		return a.printJSON(map[string]string{
			"tapwise": version, "go": runtime.Version(), "opencv": vision.OpenCVVersion(), "gocv": gocv, "gadb": gadb,
		})
	}
	_, err := fmt.Fprintf(a.out, "tapwise %s\n%s, OpenCV %s (gocv %s), gadb %s\n", version, runtime.Version(), vision.OpenCVVersion(), gocv, gadb)
	return err
}
