package doctor

import (
	"context"
	"errors"

	"tapwise/adb"
	"tapwise/cmd/internal/console/wording"
)

// Examination says what to check.
type Examination struct {
	ConfigFile string // in force; empty when there is none
	Evidence   string // the folder for evidence; empty for the usual one
	Client     func() (*adb.Client, error)
	Display    string // of the phone's displays; empty for its own
	Serial     string // the phone's; empty when it is the only one
	// Hold keeps others from touching the phone while ways to touch are tried; it
	// fails when another process touches it.
	Hold func(ctx context.Context, device *adb.Device) (release func() error, err error)
}

// Finding is the outcome for one part.
type Finding struct {
	Part   string `json:"part"`
	Status string `json:"status"` // ok, lacks, fails or skipped
	Detail string `json:"detail,omitempty"`
	// Fix is what to do about a failure or a lack; empty when it has no fix of its own.
	Fix string `json:"fix,omitempty"`
	// Err is what is wrong, marked by package cause where the part fails; nil where nothing
	// is.
	Err error `json:"-"`
}

// Fails reports whether nothing can be played because of it.
func (f Finding) Fails() bool { return f.Status == fails }

// The statuses of a part. One that lacks something is played without it. It is skipped
// when it could not be checked because an earlier part fails.
const (
	ok      = "ok"
	lacks   = "lacks"
	fails   = "fails"
	skipped = "skipped"
)

// lackError is a lack of something that only adds comfort.
type lackError struct{ error }

func (e lackError) Unwrap() error { return e.error }

// errSkipped says that a part could not be checked.
var errSkipped = errors.New("not checked: an earlier part fails")

// errLeftOut says that there is nothing to tell of a part.
var errLeftOut = errors.New("nothing to tell")

// fixError is a failure with its fix.
type fixError struct {
	error
	fix string
}

func (e fixError) Unwrap() error { return e.error }

// Run checks one part after the other and reports on each. It fails with an error
// of report, or with the cause of the context's end; a part that fails is no error.
func (e Examination) Run(ctx context.Context, report func(Finding) error) error {
	c := checks{Examination: e}
	for _, part := range []struct {
		name  string
		check func(context.Context) (detail string, err error)
	}{
		{"configuration", c.configuration},
		{"OpenCV", c.openCV},
		{"adb", c.adbTool},
		{"adb server", c.server},
		{"phone", c.phone},
		{"displays", c.displays},
		{"screen", c.screen},
		{"capture", c.capture},
		{"touch", c.touch},
		{"settings", c.settings},
	} {
		detail, err := part.check(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f := Finding{Part: part.name, Status: ok, Detail: detail}
		var fixed fixError
		var lack lackError
		switch {
		case errors.Is(err, errLeftOut):
			continue
		case errors.Is(err, errSkipped):
			f.Status, f.Detail = skipped, wording.Of(err)
		case err != nil:
			f.Status, f.Detail, f.Err = fails, wording.Of(err), err
			if errors.As(err, &lack) {
				f.Status = lacks
			}
			if errors.As(err, &fixed) {
				f.Fix = fixed.fix
			}
		}
		if err := report(f); err != nil {
			return err
		}
	}
	return nil
}
