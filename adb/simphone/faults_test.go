package simphone

import (
	"context"
	"image"
	"strings"
	"testing"
	"time"
)

func TestParseFault(t *testing.T) {
	for text, want := range map[string]Fault{
		"crash": {Name: "crash"}, "crash@12": {Name: "crash", At: 12}, "lost-touch=0.05": {Name: "lost-touch", Chance: 0.05}, "ad=1": {Name: "ad", Chance: 1},
	} {
		if got, err := ParseFault(text); got != want || err != nil {
			t.Errorf("%s: got %+v, %v, expected %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "gremlins", "crash=", "crash=0", "crash=1.1", "crash=NaN", "crash=-1", "crash@", "crash@0", "crash@-1", "crash@x", "crash@1=0.5", "=1", "@1"} {
		if got, err := ParseFault(text); err == nil {
			t.Errorf("%q: accepted as %+v", text, got)
		}
	}
	for _, name := range FaultNames() {
		if FaultHelp(name) == "" {
			t.Errorf("%s has no help", name)
		}
	}
}

func FuzzParseFault(f *testing.F) {
	for _, text := range []string{"crash", "crash@12", "lost-touch=0.05", "x=y@z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseFault(text)
		if err != nil {
			return
		}
		if FaultHelp(got.Name) == "" || !(got.Chance >= 0 && got.Chance <= 1) || got.At < 0 || got.Chance > 0 && got.At > 0 {
			t.Errorf("%q: accepted as %+v", text, got)
		}
	})
}

// counting is an app that knows which level it shows.
type counting struct{ level int }

func (counting) Package() string                            { return "com.example.counting" }
func (counting) Draw(Canvas, time.Duration)                 {}
func (counting) Touch(int, float64, float64, time.Duration) {}
func (counting) Back(time.Duration)                         {}
func (c *counting) Level() int                              { return c.level }

// TestChances plays 2,000 levels of ten frames each: a fault happens about as often
// as its chance says, and at the same moments for the same seed.
func TestChances(t *testing.T) {
	run := func(seed uint64) (count int, when []int) {
		app := &counting{level: 1}
		phone, err := New(Config{Size: image.Pt(16, 16), Apps: []Installed{Instance(app)}, Foreground: app.Package()})
		if err != nil {
			t.Fatal(err)
		}
		if err := phone.Inject([]Fault{{Name: "rotated", Chance: 0.05}}, seed); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for frame := range 20_000 {
			app.level = 1 + frame/10
			before := phone.Struck()["rotated"]
			out.Reset()
			if phone.screencap(context.Background(), false, &out, &out) != 0 {
				t.Fatal("screencap failed")
			}
			if phone.Struck()["rotated"] > before {
				when = append(when, frame)
			}
		}
		return phone.Struck()["rotated"], when
	}
	count, when := run(1)
	if count < 70 || count > 130 {
		t.Errorf("happened in %d of 2000 levels, expected about 100", count)
	}
	again, same := run(1)
	if again != count || len(same) != len(when) || same[0] != when[0] || same[len(same)-1] != when[len(when)-1] {
		t.Errorf("the same seed gave %d and %d, first at %d and %d", count, again, when[0], same[0])
	}
	if _, other := run(2); other[0] == when[0] && other[1] == when[1] && other[2] == when[2] {
		t.Errorf("another seed gave the same moments: %v", when[:3])
	}
}
