package web

import (
	"fmt"
	"image/color"

	"tapwise/solvers"
)

// maxScenes is the most scenes of a solution that the page gets: enough for the strokes
// and moves of every level, and few enough for a slow connection.
const maxScenes = 300

// scene is a solvers.Picture as the page draws it. Of several scenes, each tells in what it differs from
// the one before it: its shapes take the place of so many, from one of them on.
type scene struct {
	Width  float64      `json:"width"`
	Height float64      `json:"height"`
	From   int          `json:"from"`
	Drop   int          `json:"drop"`
	Shapes []sceneShape `json:"shapes"`
	Text   string       `json:"text"` // what the last step does, in the game's words
}

// sceneShape is a solvers.Shape.
type sceneShape struct {
	Kind   string       `json:"kind"` // line, disc, polygon or text
	Points [][2]float64 `json:"points"`
	Size   float64      `json:"size"`
	Text   string       `json:"text"`
	Colour string       `json:"colour"` // in CSS
}

// shapeNames are the kinds of shapes as the page knows them.
var shapeNames = map[solvers.ShapeKind]string{
	solvers.LineShape: "line", solvers.DiscShape: "disc", solvers.PolygonShape: "polygon", solvers.TextShape: "text",
}

// scenes shows how a solution comes about, from the puzzle alone on.
func scenes(s solvers.Solution) []scene {
	var all []scene
	var before []solvers.Shape
	steps := s.Steps(nil)
	for done := range min(len(steps)+1, maxScenes) {
		p := s.Scene(done)
		from, rest := 0, 0 // how many are the same at the beginning and at the end
		most := min(len(before), len(p.Shapes))
		for from < most && before[from].Equal(p.Shapes[from]) {
			from++
		}
		for rest < most-from && before[len(before)-1-rest].Equal(p.Shapes[len(p.Shapes)-1-rest]) {
			rest++
		}
		all = append(all, sceneOf(solvers.Picture{Width: p.Width, Height: p.Height, Shapes: p.Shapes[from : len(p.Shapes)-rest]}))
		drawn := &all[done]
		drawn.From, drawn.Drop = from, len(before)-rest-from
		if before = p.Shapes; done > 0 {
			drawn.Text = steps[done-1].Text
		}
	}
	return all
}

func sceneOf(p solvers.Picture) scene {
	s := scene{Width: p.Width, Height: p.Height, Shapes: []sceneShape{}}
	for _, shape := range p.Shapes {
		s.Shapes = append(s.Shapes, sceneShape{shapeNames[shape.Kind], shape.Points, shape.Size, shape.Text, cssColour(shape.Colour)})
	}
	return s
}

// grid is a solvers.GridPage.
type grid struct {
	Separator string            `json:"separator"`
	Entries   []string          `json:"entries"`
	Regions   bool              `json:"regions"`
	Numbers   bool              `json:"numbers"`
	Walls     bool              `json:"walls"`
	Grounds   map[string]string `json:"grounds"` // as #rrggbbaa
	Marks     map[string]scene  `json:"marks"`
}

func gridOf(p *solvers.GridPage) *grid {
	g := &grid{p.Separator, p.Entries, p.Regions, p.Numbers, p.Walls, map[string]string{}, map[string]scene{}}
	for entry, colour := range p.Grounds {
		g.Grounds[entry] = cssColour(colour)
	}
	for entry, mark := range p.Marks {
		g.Marks[entry] = sceneOf(mark)
	}
	return g
}

// cssColour is a colour on light and on dark paper.
func cssColour(c color.NRGBA) string {
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A) }
	if dark := solvers.Darkened(c); dark != c {
		return "light-dark(" + hex(c) + "," + hex(dark) + ")"
	}
	return hex(c)
}
