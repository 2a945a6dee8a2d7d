package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"html/template"
	"image/jpeg"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/puzzles/drawing"
	"tapwise/configs/boundedfile"
	"tapwise/vision"
)

const (
	// mostFailures is how many failures the page shows, the newest: the picture
	// of each takes some ten kilobytes.
	mostFailures = 100

	pictureWidth   = 240 // pixels
	pictureQuality = 70  // of the JPEG, in percent
)

// failureRow is an attempt that was not won.
type failureRow struct {
	When, Game, Serial, Verdict, Error, Evidence, Board string
	Run                                                 int64
	Level                                               int
	Picture                                             template.URL // a data address; empty if there is no picture
}

// failures are the newest attempts that failed or whose end is unknown, the
// newest first.
func failures(ctx context.Context, attempts []journal.Attempt) []failureRow {
	var rows []failureRow
	for _, t := range slices.Backward(attempts) {
		if t.Verdict != journal.Failed && t.Verdict != journal.Unknown {
			continue
		}
		rows = append(rows, failureRow{When: t.Started.Local().Format(time.DateTime), Game: t.Game, Serial: t.Serial, Verdict: string(t.Verdict), Error: t.Error,
			Evidence: t.Evidence, Board: t.Board, Run: t.Run, Level: t.Level, Picture: failurePicture(ctx, t.Evidence)})
		if len(rows) == mostFailures {
			break
		}
	}
	return rows
}

// failurePicture is the last picture in an evidence folder, small, as a data
// address: the overlay of what was seen or, if there is none, the frame.
func failurePicture(ctx context.Context, folder string) template.URL {
	if folder == "" {
		return ""
	}
	for _, pattern := range []string{"overlay-*.png", "frame-*.png"} {
		names, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(names) == 0 {
			continue
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		data, err := boundedfile.ReadIn(folder, filepath.Base(names[len(names)-1]), vision.MaxBytes)
		if err != nil {
			continue // evidence may have been tidied away
		}
		frame, err := vision.Decode(ctx, data)
		if err != nil {
			continue
		}
		var small bytes.Buffer
		if err := jpeg.Encode(&small, drawing.Shrink(frame, pictureWidth), &jpeg.Options{Quality: pictureQuality}); err != nil {
			continue
		}
		return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(small.Bytes()))
	}
	return ""
}
