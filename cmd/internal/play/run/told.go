package run

import (
	"tapwise/cmd/internal/console/tell"
	"tapwise/cmd/internal/play/player"
)

// Told is progress that is also told to whoever does not look.
func Told(to Progress, told *tell.Run) Progress { return toldProgress{to, told} }

type toldProgress struct {
	Progress
	told *tell.Run
}

// Level notes that a level has ended.
func (p toldProgress) Level(number int, report player.Report, failure error) error {
	p.told.Level(failure == nil)
	return p.Progress.Level(number, report, failure)
}
