package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestReporter: each script is of looks at a fleet, one a line: the minute, then runs as
// NAME:STATE:WON:FAILED, of four levels, and phones as NAME=STATE:WON:WHY; and what is told then,
// after an arrow. Something stands still after ten minutes.
func TestReporter(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"a run is over, is told once": `
			0 a:open:0:0
			1 a:open:2:0
			2 a:complete:3:0
			3 a:complete:4:0 -> end a: Run a is over: 4 of 4 levels won.
			4 a:complete:4:0`,
		"one that failed": `
			0 a:open:0:0
			3 a:complete:3:1 -> stuck a: Run a is over: 3 of 4 levels won, 1 failed. tapwise fleet show a tells why.`,
		"one that was over before, one that is made and over between two looks": `
			0 old:complete:4:0
			1 old:complete:4:0 new:complete:4:0 -> end new: Run new is over: 4 of 4 levels won.`,
		"a cancelled one": `
			0 a:open:0:0
			1 a:cancelled:1:0
			30 a:cancelled:1:0`,
		"a run stands still, is told once until a level ends": `
			0 a:open:0:0
			9 a:open:1:0
			18 a:open:1:0
			19 a:open:1:0 -> stuck a: No level of run a has ended for 10m0s.
			50 a:open:1:0
			51 a:open:1:1
			60 a:open:1:1
			61 a:open:1:1 -> stuck a: No level of run a has ended for 10m0s.`,
		"all that it wants are drained": `
			0 a:open:0:0 p=drained:0:
			60 a:open:0:0 p=drained:0:`,
		"a locked phone, which is tried again and again, while another plays": `
			0 a:open:0:0 p=failing:0:locked q=playing:0:
			5 a:open:1:0 p=playing:0: q=playing:1:
			9 a:open:2:0 p=failing:0:locked q=playing:2:
			10 a:open:2:0 p=failing:0:locked q=playing:2: -> stuck : A phone has won nothing for 10m0s: p of w, locked.
			15 a:open:3:0 p=failing:0:locked q=playing:3:`,
		"nothing is asked of a locked phone": `
			0 p=failing:0:locked
			60 p=failing:0:locked
			61 a:open:0:0 p=failing:0:locked
			69 a:open:1:0 p=failing:0:locked
			71 a:open:1:0 p=failing:0:locked -> stuck : A phone has won nothing for 10m0s: p of w, locked.`,
		"idle, queued and taken phones need no hand": `
			0 a:open:0:0 p=idle:0: q=queued:0: r=taken:0:
			9 a:open:1:0 p=idle:0: q=queued:0: r=taken:0:
			18 a:open:2:0 p=idle:0: q=queued:0: r=taken:0:`,
		"a phone is gone, and no path is told": `
			0 a:open:0:0 p=playing:1: q=unready:0:/home/me/secret
			9 a:open:1:0 q=unready:0:/home/me/secret
			10 a:open:1:0 q=unready:0:/home/me/secret -> stuck : 2 phones have won nothing for 10m0s: p of w, nobody says anything of it; q of w, unready.
			18 a:open:2:0
			27 a:open:3:0`,
	} {
		began := time.Unix(1_000_000, 0)
		r := newReporter(10*time.Minute, began)
		for i, line := range strings.Split(strings.TrimSpace(script), "\n") {
			fleet, want, _ := strings.Cut(strings.TrimSpace(line), " -> ")
			minute, v := lookOf(t, fleet, began)
			var said []string
			for _, n := range r.look(v, began.Add(time.Duration(minute)*time.Minute)) {
				said = append(said, fmt.Sprintf("%s %s: %s", n.Kind, n.Run, n.Text))
			}
			if got := strings.Join(said, " | "); got != want {
				t.Errorf("%s, look %d: told %q, expected %q", name, i, got, want)
			}
		}
	}
}

// lookOf reads a line of a script.
func lookOf(t *testing.T, line string, began time.Time) (minute int, v View) {
	t.Helper()
	fields := strings.Fields(line)
	if _, err := fmt.Sscan(fields[0], &minute); err != nil {
		t.Fatal(err)
	}
	for _, field := range fields[1:] {
		if serial, rest, isPhone := strings.Cut(field, "="); isPhone {
			parts := strings.SplitN(rest, ":", 3)
			p := PhoneView{Phone: Phone{Worker: "w", Serial: serial, State: parts[0], Why: parts[2]}, Draining: parts[0] == Drained}
			fmt.Sscan(parts[1], &p.Won)
			v.Phones = append(v.Phones, p)
			continue
		}
		parts := strings.Split(field, ":")
		run := RunView{Order: Order{ID: parts[0], Game: "game", State: parts[1], Levels: 4, Created: began}}
		if parts[0] == "new" {
			run.Created = began.Add(time.Second)
		}
		fmt.Sscan(parts[2], &run.Won)
		fmt.Sscan(parts[3], &run.Failed)
		v.Runs = append(v.Runs, run)
	}
	return minute, v
}
