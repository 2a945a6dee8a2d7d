//go:build margins

package player_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"image/color"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	marginsAll   = flag.Bool("margins-all", false, "have TestMargins look at every real screen and simulated board, not at some of each kind")
	marginsOf    = flag.String("margins-of", "", "have TestMargins move only the limits whose names begin with one of these, with commas between them")
	writeMargins = flag.String("write-margins", "", "keep the table of TestMargins in a file")
)

// scene is a frame on which something is read while a limit is moved.
type scene struct {
	name   string
	frame  *image.RGBA
	game   solvers.Game
	spec   screen.Spec
	marked bool   // the board is found by its marks
	made   string // what is made of it while no limit is moved
	failed bool   // what flips is that looking fails
}

// failing begins what is made of a scene on which looking fails.
const failing = "fails: "

// look is what a game makes of a scene, without what may change a little: the names
// of colours, the words of a refusal, the pixels of buttons.
func (s scene) look() (made string) {
	defer func() {
		if fault := recover(); fault != nil {
			made = failing + fmt.Sprint(fault)
		}
	}()
	on := screen.Frame{Size: s.frame.Rect.Size(), Rotation: -1}
	observe := vision.Observe
	if s.marked {
		observe = vision.ObserveMarked
	}
	seen, err := observe(s.frame, on, s.spec)
	if err != nil {
		return failing + err.Error()
	}
	var board, rest strings.Builder
	part := ""
	for _, line := range strings.Split(solvers.Made(s.game, seen), "\n") {
		switch {
		case strings.HasPrefix(line, "-- "):
			part = line
			rest.WriteString(line + "\n")
		case part == "-- board --" || part == "-- fill --":
			board.WriteString(line + "\n")
		case part == "-- place --":
			name, _, _ := strings.Cut(line, " ")
			rest.WriteString(name + "\n")
		}
	}
	return rest.String() + gametest.Renamed(s.game, board.String())
}

// uses reports whether a block of limits bears on a scene.
func (s scene) uses(block string) bool {
	if s.marked || len(s.spec.Topologies) == 0 {
		switch block {
		case "markLimits":
			return s.marked
		case "roomLimits":
			return !s.marked
		}
		return block == "lineLimits" || block == "measureLimits"
	}
	has := func(t screen.Topology) bool { return slices.Contains(s.spec.Topologies, t) }
	switch block {
	case "boxLimits":
		return s.spec.Boxes
	case "discLimits":
		return s.spec.Discs
	case "hexColumnLimits":
		return s.spec.Discs && has(screen.Hex)
	case "hexRowLimits":
		return has(screen.HexRows)
	case "cubeLimits":
		return has(screen.Cube)
	case "wallLimits":
		return s.spec.Walled
	case "slantLimits":
		return s.spec.Slanted
	case "markLimits", "roomLimits":
		return false
	case "latticeLimits", "lineLimits":
		return !s.spec.Walled && !has(screen.Cube)
	}
	return true
}

// scenes are the real screens, if there are any, and the simulated boards: one of
// each source and kind, or all.
func scenes(t *testing.T) []scene {
	var found []scene
	seen := map[string]bool{}
	t.Run("real screens", func(t *testing.T) {
		index := gametest.RealScreens(t, shared)
		for _, p := range index {
			key := path.Dir(p.Name) + p.Kind
			if seen[key] && !*marginsAll {
				continue
			}
			seen[key] = true
			frame, err := decodeFile(t, p.File)
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range readGames {
				if of.game.Name() == p.Game {
					found = append(found, scene{name: strings.TrimSuffix(p.Name, path.Ext(p.Name)), frame: frame, game: of.game, spec: of.game.Spec()})
				}
			}
		}
	})
	random := rand.New(rand.NewPCG(1, 2))
	n := 0
	for _, of := range readGames {
		for i, o := range of.options {
			if i%5 != 0 && !*marginsAll {
				continue
			}
			level, err := of.game.Generate(t.Context(), o, random)
			if err != nil {
				t.Fatal(err)
			}
			style := of.styles[n%len(of.styles)]
			app, err := all.Simulate(of.game, []solvers.Puzzle{level}, simapp.Options{Seed: 1, Style: style})
			if err != nil {
				t.Fatal(err)
			}
			// Of the disturbances that are small, and on the small screens: these are read fast.
			size, d := screenSizes[n%4], disturbances[n%5]
			if *marginsAll {
				size, d = screenSizes[n%len(screenSizes)], disturbances[n%len(disturbances)]
			}
			n++
			frame := d.apply(simphone.Render(app, size, 2*time.Second), random)
			name := fmt.Sprintf("%s %s %s %dx%d %s", of.game.Name(), boardName(o), style, size.X, size.Y, d.name)
			s := scene{name: name, frame: frame, game: of.game, spec: of.game.Spec()}
			found = append(found, s)
			if hinted, ok := s.hinted(t); ok && s.game.About().ReadsSigns {
				found = append(found, hinted...)
			}
		}
	}
	for i, b := range boardless {
		of := readGames[i%len(readGames)]
		frame := image.NewRGBA(image.Rect(0, 0, 480, 854))
		b.draw(frame, random)
		found = append(found, scene{name: b.name, frame: frame, game: of.game, spec: of.game.Spec()})
	}
	return found
}

// hinted are a scene's boards as a calibration lets them be found: by their lines in
// a known room, and by their marks.
func (s scene) hinted(t *testing.T) ([]scene, bool) {
	seen, err := vision.Observe(s.frame, screen.Frame{Size: s.frame.Rect.Size(), Rotation: -1}, s.spec)
	if err != nil || seen.Layout.Rows == 0 || seen.Layout.Topology != screen.Square {
		return nil, false
	}
	room := seen.Layout.Board
	ground := []screen.Tone{{Colour: s.frame.RGBAAt(room.Min.X+room.Dx()/2, room.Min.Y+3), Margin: 40}, {Colour: color.RGBA{A: 255}, Margin: 90}}
	byLines, byMarks := s, s
	byLines.name += ", in its room"
	byLines.spec.Topologies = nil
	byLines.spec.Hint = &screen.Hint{Lines: true, Room: room}
	byMarks.name += ", by its marks"
	byMarks.marked = true
	byMarks.spec.Hint = &screen.Hint{Palette: screen.Palette{Ground: ground}, Room: room}
	return []scene{byLines, byMarks}, true
}

// flips are the scenes of which something else is made than before.
func flips(among []scene) []scene {
	var mutex sync.Mutex
	found := map[int]scene{}
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				s := among[i]
				if now := s.look(); now != s.made {
					s.failed = strings.HasPrefix(now, failing)
					mutex.Lock()
					found[i] = s
					mutex.Unlock()
				}
			}
		})
	}
	for i := range among {
		next <- i
	}
	close(next)
	workers.Wait()
	var flipped []scene
	for _, i := range slices.Sorted(maps.Keys(found)) {
		flipped = append(flipped, found[i])
	}
	return flipped
}

// margin is how far a limit can be moved in a direction, from its value to at most
// half or twice that: the last value at which nothing flips, and the scenes that flip
// at the next. It looks only at some values, and takes it that what flips stays so.
func margin(l vision.Limit, among []scene, factor float64) (last float64, flipped []scene) {
	const steps = 6 // each halves what is not known: to a hundredth of the value
	value := l.Value()
	defer l.Set(value)
	move := func(part float64) float64 {
		to := value * math.Pow(factor, part)
		if l.Whole() {
			to = max(1, math.Round(to)) // below 1 nothing is left of what it counts
			if part == 1 && factor > 1 {
				to = max(to, value+1)
			}
		}
		l.Set(to)
		return l.Value()
	}
	low, high := 0.0, 1.0
	last = value
	if far := move(high); far == value {
		return value, nil
	} else if flipped = flips(among); len(flipped) == 0 {
		return far, nil
	}
	for range steps {
		middle := (low + high) / 2
		to := move(middle)
		if now := flips(flipped); len(now) > 0 {
			high, flipped = middle, now
		} else {
			low, last = middle, to
		}
	}
	return last, flipped
}

// units are the units of the limits, from the comments beside them, by block and
// field. Every limit must have one.
func units(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../../../vision/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		comments := map[int]string{}
		for _, group := range file.Comments {
			comments[set.Position(group.Pos()).Line] = group.Text()
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !strings.HasSuffix(spec.Names[0].Name, "Limits") {
				return true
			}
			for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
				field := element.(*ast.KeyValueExpr)
				unit := comments[set.Position(field.Pos()).Line]
				if end := strings.IndexAny(unit, ":,;\n"); end >= 0 {
					unit = unit[:end]
				}
				found[spec.Names[0].Name+"."+field.Key.(*ast.Ident).Name] = unit
			}
			return false
		})
	}
	return found
}

// TestMargins moves every limit of vision, one at a time, until another board is read
// on a scene, or none where there was one, and prints how far that is.
func TestMargins(t *testing.T) {
	all := scenes(t)
	begin := time.Now()
	for i := range all {
		all[i].made = all[i].look()
	}
	t.Logf("%d scenes, %v for all", len(all), time.Since(begin))
	unit := units(t)
	limits := vision.Limits()
	for name := range unit {
		if !slices.ContainsFunc(limits, func(l vision.Limit) bool { return l.Block+"."+l.Field == name }) {
			t.Errorf("%s: vision.Limits does not list it", name)
		}
	}
	rows := map[string]string{}
	for _, l := range limits {
		if !slices.ContainsFunc(strings.Split(*marginsOf, ","), func(of string) bool { return strings.HasPrefix(l.Name(), of) }) {
			continue
		}
		if unit[l.Block+"."+l.Field] == "" {
			t.Errorf("%s: no comment says its unit", l.Name())
		}
		var among []scene
		for _, s := range all {
			if s.uses(l.Block) {
				among = append(among, s)
			}
		}
		least, below := margin(l, among, 0.5)
		most, above := margin(l, among, 2)
		line := fmt.Sprintf(marginsRow, l.Name(), fmt.Sprintf("%.4g", l.Value()), bound(least, below), bound(most, above), unit[l.Block+"."+l.Field], flippers(below, above))
		rows[l.Name()] = strings.TrimSpace(line)
		t.Log(line)
	}
	if *writeMargins != "" {
		if err := keepMargins(*writeMargins, len(all), limits, rows); err != nil {
			t.Fatal(err)
		}
	}
}

// marginsRow is a row of the table: a limit, its value, how far it can be moved, its unit,
// and what flips beyond.
const marginsRow = "%-28s %10s %8s %8s  %-38s %s"

// keepMargins writes the table to a file. What rows lack is taken over from the table
// that is there, so that some limits can be measured without all others.
func keepMargins(file string, scenes int, limits []vision.Limit, rows map[string]string) error {
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, line := range strings.Split(string(before), "\n") {
		name, _, _ := strings.Cut(line, " ")
		if _, measured := rows[name]; !measured {
			rows[name] = line
		}
	}
	count, set := 0, 0
	var table strings.Builder
	fmt.Fprintf(&table, marginsRow+"\n", "limit", "value", "least", "most", "unit", "what flips beyond")
	for _, l := range limits {
		row, ok := rows[l.Name()]
		if !ok {
			continue
		}
		if count++; strings.Contains(row, belowFlips) || strings.Contains(row, aboveFlips) {
			set++
		}
		table.WriteString(row + "\n")
	}
	text := fmt.Sprintf(`# Margins

This page shows how far each limit of the eyes can be moved, alone, before a game reads one
of %d pictures differently: another board, a board where there was none, or none where there
was one. Half of the limit and twice the limit are tried. If a picture flips there, the
point at which it begins to flip is found to about a hundredth of the limit. A bound with
an arrow is only as far as was tried: no picture flips there, so none of these
pictures sets it. The last columns name the pictures that set the other bounds, first those
that flip below the bounds, then those that flip above them.

%d of %d limits are set by a picture on at least one side. None of these pictures decides
the others: %s looks at every real screen and board.

Made by %s from simulated boards and from the real screens beside the project, one
of each source and kind; %s measures only the limits that begin with these words. A
comment beside each limit in %s says what it means.

`, scenes, set, count, "`make margins SCENES=all`", "`make margins`", "`make margins LIMIT=rim,line.thin`", "`vision`") + "```\n" + table.String() + "```\n"
	return os.WriteFile(file, []byte(text), 0o644)
}

// bound is how far a limit can be moved; an arrow says that nothing flips there.
func bound(x float64, flipped []scene) string {
	if len(flipped) == 0 {
		return fmt.Sprintf("→%.4g", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// What a row says before the pictures that flip below and above a limit.
const (
	belowFlips = "below: "
	aboveFlips = "above: "
)

// flippers names the scenes that flip below and above a limit, one of each and how
// many more.
func flippers(below, above []scene) string {
	var sides []string
	for i, flipped := range [][]scene{below, above} {
		if len(flipped) == 0 {
			continue
		}
		name := path.Base(flipped[0].name)
		if flipped[0].failed {
			name += " (fails)"
		}
		if len(flipped) > 1 {
			name += fmt.Sprintf(" and %d more", len(flipped)-1)
		}
		sides = append(sides, [...]string{belowFlips, aboveFlips}[i]+name)
	}
	return strings.Join(sides, "; ")
}
