package web

import (
	"fmt"
	"image/color"

	"tapwise/solvers"
)

// maxScenes is the most scenes of a solution that the page gets: enough for the strokes
// and moves of every level, and few enough for a slow connection.
const maxScenes = 300

// scene is a solvers.Picture as the page draws it.
type scene struct {
	Width  float64      `json:"width"`
	Height float64      `json:"height"`
	Shapes []sceneShape `json:"shapes"`
	Text   string       `json:"text"` // what the last step does, in the game's words
}

// sceneShape is a solvers.Shape.
type sceneShape struct {
	Kind   string       `json:"kind"` // line, disc, polygon or text
	Points [][2]float64 `json:"points"`
	Size   float64      `json:"size"`
	Text   string       `json:"text"`
	Colour string       `json:"colour"` // as #rrggbbaa
}

// shapeNames are the kinds of shapes as the page knows them.
var shapeNames = map[solvers.ShapeKind]string{
	solvers.LineShape: "line", solvers.DiscShape: "disc", solvers.PolygonShape: "polygon", solvers.TextShape: "text",
}

// scenes shows how a solution comes about, from the puzzle alone on.
func scenes(s solvers.Solution) []scene {
	var all []scene
	steps := s.Steps(nil)
	for done := range min(len(steps)+1, maxScenes) {
		drawn := sceneOf(s.Scene(done))
		if done > 0 {
			drawn.Text = steps[done-1].Text
		}
		all = append(all, drawn)
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

// grid is a solvers.GridPage as the page draws it.
type grid struct {
	Separator string            `json:"separator"`
	Entries   []string          `json:"entries"`
	Regions   bool              `json:"regions"`
	Numbers   bool              `json:"numbers"`
	Walls     bool              `json:"walls"`
	Grounds   map[string]string `json:"grounds"` // as #rrggbbaa
	Marks     map[string]scene  `json:"marks"`
	Tint      string            `json:"tint"` // as #rrggbbaa
}

func gridOf(p *solvers.GridPage) *grid {
	g := &grid{p.Separator, p.Entries, p.Regions, p.Numbers, p.Walls, map[string]string{}, map[string]scene{}, cssColour(p.Tint)}
	for entry, colour := range p.Grounds {
		g.Grounds[entry] = cssColour(colour)
	}
	for entry, mark := range p.Marks {
		g.Marks[entry] = sceneOf(mark)
	}
	return g
}

func cssColour(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A) }
