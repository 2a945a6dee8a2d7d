package simulation

import (
	"image"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/cause"
)

// The Android versions that the phone can pretend to be, as API levels.
const (
	oldestSDK = 23
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
