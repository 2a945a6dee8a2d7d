package fit

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path"
	"strings"
	"testing"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// shared is where the real screens are, seen from this folder.
const shared = "../../../../../shared/data/screens"

// realScreens returns the full screens of Flow by family, source and size, and the
// pictures of something else, or skips the test.
func realScreens(t *testing.T) (families map[string][]gametest.RealScreen, others []string) {
	t.Helper()
	families = map[string][]gametest.RealScreen{}
	for _, s := range gametest.RealScreens(t, shared) {
		switch {
		case s.Kind == "other":
			others = append(others, s.File)
		case s.Kind == "fullscreen" && s.Game == "flow":
			source, _, _ := strings.Cut(path.Base(path.Dir(s.Name)), "__")
			family := fmt.Sprintf("%s %dx%d", source, s.Width, s.Height)
			families[family] = append(families[family], s)
		}
	}
	return families, others
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
				frame, err := decodeFile(t, r.File)
				if err != nil {
					t.Fatal(err)
				}
				if profile, _, err = Profile(ctx, game, []Picture{{Name: r.File, Frame: frame, Rotation: -1}}); err == nil {
					used = r.File
					break
				}
				t.Logf("not calibrated on %s: %v", path.Base(r.File), err)
			}
			if profile == nil {
				t.Skip("no picture of this family can be calibrated on")
			}
			right, automatic, without := 0, 0, 0
			for _, r := range all {
				if r.File == used {
					continue
				}
				if testing.Short() && right+without == 2 {
					break
				}
				frame, err := decodeFile(t, r.File)
				if err != nil {
					t.Fatal(err)
				}
				on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
				plain, err := vision.Observe(frame, on, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				_, refusal := game.Read(plain)
				seen, err := calibrated.By(profile).Observe(frame, on, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				got, err := game.Read(seen)
				switch {
				case r.Truth == "":
					without++
					var read *solvers.ReadError
					if err != nil && !errors.As(err, &read) {
						t.Errorf("%s: %v", path.Base(r.File), err)
					}
				case err != nil:
					t.Errorf("%s: %v", path.Base(r.File), err)
				case gametest.Relettered(got.String()) != gametest.Relettered(r.Truth):
					t.Errorf("%s: read as\n%s\nexpected\n%s", path.Base(r.File), got, r.Truth)
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
