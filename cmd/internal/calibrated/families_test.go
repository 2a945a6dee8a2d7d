package calibrated

import (
	"context"
	"encoding/csv"
	"errors"
	"image"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/calibration"
	"tapwise/solvers"
	"tapwise/solvers/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// real is a real full screen with its board.
type real struct{ file, family, truth string }

// realScreens returns the full screens of Flow by family, source and size, or skips
// the test. Screens whose board cannot be written in the notation have no truth.
func realScreens(t *testing.T) (families map[string][]real, others []string) {
	t.Helper()
	folder := "../../../../shared/data/screens"
	file, err := os.Open(filepath.Join(folder, "INDEX.csv"))
	if err != nil {
		t.Skipf("no real screens here: %v", err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	get := func(line []string, name string) string { return line[slices.Index(lines[0], name)] }
	families = map[string][]real{}
	for _, line := range lines[1:] {
		name := filepath.Join(folder, get(line, "file"))
		if kind := get(line, "kind"); kind == "other" {
			others = append(others, name)
		} else if get(line, "game") != "flow" || kind != "fullscreen" {
			continue
		}
		source, _, _ := strings.Cut(path.Base(path.Dir(get(line, "file"))), "__")
		r := real{file: name, family: source + " " + get(line, "width") + "x" + get(line, "height")}
		if truth := get(line, "truth_file"); strings.HasSuffix(truth, ".board.txt") {
			text, err := os.ReadFile(filepath.Join(folder, truth))
			if err != nil {
				t.Fatal(err)
			}
			r.truth = strings.TrimSpace(string(text))
			walls, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(truth, ".board.txt")+".walls.txt"))
			if err == nil {
				pairs := strings.Fields(string(walls))
				slices.Sort(pairs)
				r.truth = "walls " + strings.Join(pairs, " ") + "\n" + r.truth
			}
		}
		if get(line, "kind") == "fullscreen" {
			families[r.family] = append(families[r.family], r)
		}
	}
	return families, others
}

// boardOf is a board to compare: walls sorted, colours named in their order.
func boardOf(text string) string {
	walls := ""
	if strings.HasPrefix(text, "walls") {
		walls, text, _ = strings.Cut(text, "\n")
		pairs := strings.Fields(walls)
		slices.Sort(pairs)
		walls = strings.Join(pairs, " ") + "\n"
	}
	return walls + renamed(text)
}

// TestFamilies calibrates on one picture of each family of devices and reads all
// its other pictures with that profile, including those refused automatically; with
// -short only two others of each family.
func TestFamilies(t *testing.T) {
	gametest.Long(t)
	families, _ := realScreens(t)
	game := flow.Game{}
	ctx := context.Background()
	for name, all := range families {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var profile *calibration.Profile
			used := ""
			for _, r := range all {
				frame, err := decodeFile(t, r.file)
				if err != nil {
					t.Fatal(err)
				}
				if profile, _, err = Fit(ctx, game, []Picture{{Name: r.file, Frame: frame, Rotation: -1}}); err == nil {
					used = r.file
					break
				}
				t.Logf("not calibrated on %s: %v", path.Base(r.file), err)
			}
			if profile == nil {
				t.Skip("no picture of this family can be calibrated on")
			}
			right, automatic, without := 0, 0, 0
			for _, r := range all {
				if r.file == used {
					continue
				}
				if testing.Short() && right+without == 2 {
					break
				}
				frame, err := decodeFile(t, r.file)
				if err != nil {
					t.Fatal(err)
				}
				on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
				plain, err := vision.Observe(frame, on, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				_, refusal := game.Read(plain)
				seen, err := By(profile).Observe(frame, on, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				got, err := game.Read(seen)
				switch {
				case r.truth == "":
					without++
					var read *solvers.ReadError
					if err != nil && !errors.As(err, &read) {
						t.Errorf("%s: %v", path.Base(r.file), err)
					}
				case err != nil:
					t.Errorf("%s: %v", path.Base(r.file), err)
				case boardOf(got.String()) != boardOf(r.truth):
					t.Errorf("%s: read as\n%s\nexpected\n%s", path.Base(r.file), got, r.truth)
				default:
					right++
					if refusal == nil {
						automatic++
					}
				}
			}
			t.Logf("calibrated on %s: %d right, %d of them refused without a profile; %d have no board of squares", path.Base(used), right, right-automatic, without)
		})
	}
}

// decodeFile reads a picture.
func decodeFile(t testing.TB, name string) (*image.RGBA, error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return vision.Decode(t.Context(), data)
}
