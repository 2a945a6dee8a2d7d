package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"tapwise/cmd/internal/console/build"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/doctor"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/show/reading"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
	"tapwise/vision"
)

// Source is where a bundle's contents are from.
type Source struct {
	// From is a folder of evidence or a picture; empty is the newest evidence that the
	// journal knows.
	From        string
	Journal     string // its file, which need not be there
	Reader      profiles.Reader
	Game        solvers.Game // of a picture; nil is found out
	Examination doctor.Examination
}

// Collect gathers what belongs into a bundle.
func Collect(ctx context.Context, s Source, o Options) (*Bundle, error) {
	b := begin()
	last, err := lastRun(ctx, s.Journal)
	if err != nil {
		return nil, err
	}
	if s.From == "" {
		s.From = newestEvidence(last)
	}
	if s.From == "" {
		return nil, cause.Inputf("bundle: the last run left no evidence: name a folder that a message named, or a screenshot (tapwise screenshot -o screen.png)")
	}
	info, err := os.Stat(s.From)
	switch {
	case err != nil:
		return nil, cause.Input(err)
	case info.IsDir():
		err = cause.Input(b.addEvidence(ctx, s.From, o))
	default:
		err = b.addReading(ctx, s, o)
	}
	if err != nil {
		return nil, err
	}
	if err := b.addRun(last); err != nil {
		return nil, err
	}
	b.addVersions()
	var said strings.Builder
	err = s.Examination.Run(ctx, func(f doctor.Finding) error {
		fmt.Fprintf(&said, "%-8s %-14s %s\n", f.Status, f.Part, f.Detail)
		return nil
	})
	b.addText("doctor.txt", "what doctor says", said.String())
	return b, err
}

// begin makes a bundle in which the user's folder is not named.
func begin() *Bundle {
	b := &Bundle{}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		b.hide(home, "~")
	}
	return b
}

// addVersions adds which versions packed the bundle.
func (b *Bundle) addVersions() {
	b.addText("versions.txt", "versions", fmt.Sprintf("tapwise %s\n%s, %s/%s, OpenCV %s\n", build.Read(), runtime.Version(), runtime.GOOS, runtime.GOARCH, vision.OpenCVVersion()))
}

// Evidence packs only the evidence in a folder, and versions, into the bytes of a bundle, at
// most that many. If it is too large, it loses its overlays, then the frames that are neither
// the last nor those from which the board was read.
func Evidence(ctx context.Context, folder string, most int) ([]byte, error) {
	var packed []byte
	for _, o := range []Options{{}, {plain: true}, {plain: true, few: true}} {
		b := begin()
		err := b.addEvidence(ctx, folder, o)
		if err == nil {
			b.addVersions()
			packed, err = b.pack()
		}
		if err != nil || len(packed) <= most {
			return packed, err
		}
	}
	return nil, fmt.Errorf("the evidence has %d bytes when it is packed, expected %d at most", len(packed), most)
}

// newestEvidence is the folder of the last attempt that left evidence, of attempts with
// the oldest first; empty where none did.
func newestEvidence(attempts []journal.Attempt) string {
	for _, attempt := range slices.Backward(attempts) {
		if attempt.Evidence != "" {
			return attempt.Evidence
		}
	}
	return ""
}

// lastRun are the attempts of the journal's last run, the oldest first; none without a
// journal.
func lastRun(ctx context.Context, file string) ([]journal.Attempt, error) {
	j, err := journal.OpenExisting(ctx, file)
	if errors.Is(err, journal.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, cause.Input(err)
	}
	newest, err := j.Attempts(ctx, journal.Filter{Last: 1})
	var all []journal.Attempt
	if err == nil && len(newest) > 0 {
		all, err = j.Attempts(ctx, journal.Filter{Run: newest[0].Run})
	}
	return all, errors.Join(err, j.Close())
}

// addReading adds a picture, what was seen on it, and what each way of looking found.
func (b *Bundle) addReading(ctx context.Context, s Source, o Options) error {
	data, err := boundedfile.ReadArgument(s.From, vision.MaxBytes)
	if err != nil {
		return cause.Input(err)
	}
	r, refused := reading.Read(ctx, s.Reader, data, s.Game)
	if r.Frame == nil {
		return refused
	}
	frame, err := vision.Decode(ctx, data) // whole, since what is to be blurred is told in its own pixels
	if err != nil {
		return cause.Input(err)
	}
	if err := b.addPicture("picture", "the picture", frame, r.Seen, o); err != nil {
		return err
	}
	var found strings.Builder
	fmt.Fprintf(&found, "%s: ", filepath.Base(s.From))
	if refused != nil {
		fmt.Fprintf(&found, "refused: %v\n", refused)
	} else {
		fmt.Fprintf(&found, "read as\n%s\n", r.Puzzle)
	}
	if r.Game != nil {
		accounts, err := r.Explain(ctx, s.Reader)
		if err != nil {
			return err
		}
		for _, account := range accounts {
			fmt.Fprintln(&found, account)
		}
	}
	b.addText("explained.txt", "what each way of looking found", found.String())
	return nil
}
