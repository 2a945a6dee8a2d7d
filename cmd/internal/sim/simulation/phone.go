package simulation

import (
	"image"
	"strconv"
	"strings"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/cause"
)

// The Android versions that the phone can pretend to be, as API levels.
const (
	oldestSDK = 21
	newestSDK = 35
)

// Phone says how the phone is.
type Phone struct {
	simphone.Config              // Apps and Foreground are set by New
	App             simphone.App // in front
	Override        image.Point  // the size that the screen is set to, as wm size does; zero: its own
	Faults          []simphone.Fault
	Seed            uint64 // for the moments of faults
}

// New makes the phone. It does not listen yet.
func (p Phone) New() (*simphone.Phone, error) {
	if p.SDK < oldestSDK || p.SDK > newestSDK {
		return nil, cause.Inputf("sim: --sdk is %d, expected %d to %d", p.SDK, oldestSDK, newestSDK)
	}
	config := p.Config
	config.Foreground = p.App.Package()
	config.Apps = []simphone.Installed{simphone.Instance(p.App)}
	phone, err := simphone.New(config)
	if err != nil {
		return nil, cause.Input(err)
	}
	if p.Override != (image.Point{}) {
		if err := phone.SetOverrideSize(p.Override); err != nil {
			return nil, cause.Input(err)
		}
	}
	if err := phone.Inject(p.Faults, p.Seed); err != nil {
		return nil, cause.Input(err)
	}
	return phone, nil
}

// ParseTouchError reads DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]: pixels, factors
// and degrees. Empty is a panel without error.
func ParseTouchError(text string) (simphone.TouchError, error) {
	var e simphone.TouchError
	if text == "" {
		return e, nil
	}
	parts := strings.Split(text, ",")
	values := make([]float64, len(parts))
	for i, part := range parts {
		var err error
		if values[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil {
			return e, cause.Inputf("sim: --touch-error %q, expected DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]", text)
		}
	}
	switch len(values) {
	case 5:
		e.Turn = values[4]
		fallthrough
	case 4:
		e.ScaleX, e.ScaleY = values[2], values[3]
		fallthrough
	case 2:
		e.OffsetX, e.OffsetY = values[0], values[1]
		return e, nil
	}
	return e, cause.Inputf("sim: --touch-error %q, expected DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]", text)
}
