package trouble

import (
	"fmt"
	"strings"
	"testing"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/adb/hand/pointer"
)

// TestHintOfEachRefusal: a refused touch is hinted at by what was refused; of the
// settings of some makers only where they are the reason.
func TestHintOfEachRefusal(t *testing.T) {
	refused := func(kinds ...error) error {
		err := adb.ErrInputRefused
		for _, kind := range kinds {
			err = fmt.Errorf("adb: touch by a way on R58M: %w: %w", err, kind)
		}
		return fmt.Errorf("level 1: %w", err)
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"the permission", refused(adb.ErrInjectEvents), "Xiaomi"},
		{"a port that does not listen", refused(hand.ErrNoMonkey), "monkey's port"},
		{"a size of another shape", refused(pointer.ErrOverridden), "wm size reset"},
		{"words", refused(fmt.Errorf("%q", "Error: Invalid arguments for command: tap")), "tapwise doctor"},
		{"a node that may not be written to", refused(fmt.Errorf("/dev/uinput may not be written to (status 1)")), "tapwise doctor"},
		{"every way, one of them for the permission", refused(hand.ErrNoMonkey, adb.ErrInjectEvents), "Xiaomi"},
	} {
		hint := Hint(c.err)
		if !strings.Contains(hint, c.want) || strings.Contains(hint, "Xiaomi") != (c.want == "Xiaomi") {
			t.Errorf("%s: %q, expected one that names %q", c.name, hint, c.want)
		}
	}
}
