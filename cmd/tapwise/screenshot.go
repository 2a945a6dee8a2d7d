package main

import (
	"context"
	"fmt"
	"image/png"

	"tapwise/cmd/internal/console/wholefile"

	"github.com/spf13/cobra"
)

func (a *app) screenshotCommand() *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "screenshot",
		Short: "take one frame of the phone's screen",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.screenshot(cmd.Context(), output) },
	}
	command.Flags().StringVarP(&output, "output", "o", "screenshot.png", "the PNG `FILE` to write; - is standard output")
	return command
}

func (a *app) screenshot(ctx context.Context, output string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	device, err := client.Open(ctx, a.settings.Serial)
	if err != nil {
		return phoneFailed(err)
	}
	frame, err := device.Capture(ctx)
	if err != nil {
		return phoneFailed(err)
	}
	if frame.Warning != "" {
		a.log.Warn("the phone printed text before the frame", "text", frame.Warning)
	}
	if err := device.Agrees(frame); err != nil {
		a.log.Warn("touches would land elsewhere", "error", err)
	}
	if output == "-" {
		return png.Encode(raw(a.out), frame.Image)
	}
	if err := wholefile.WritePNG(output, frame.Image); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			File     string  `json:"file"`
			Width    int     `json:"width"`
			Height   int     `json:"height"`
			Rotation int     `json:"rotation"`
			Method   string  `json:"method"`
			Seconds  float64 `json:"seconds"`
		}{output, frame.Size.X, frame.Size.Y, frame.Rotation, string(frame.Method), frame.Duration.Seconds()})
	}
	_, err = fmt.Fprintln(a.out, output)
	return err
}
