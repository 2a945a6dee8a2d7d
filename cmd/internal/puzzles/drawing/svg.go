package drawing

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"tapwise/solvers"
)

// svgPitch is the number of a browser's pixels for a pitch; on paper any size will do.
const svgPitch = 60

// SVG writes a picture as scalable vector graphics.
func SVG(w io.Writer, p solvers.Picture) error {
	out := bufio.NewWriter(w)
	scale := scale(p, svgPitch, printSide)
	fmt.Fprintf(out, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s">
<rect width="100%%" height="100%%" fill="#ffffff"/>
<g stroke-linecap="round" stroke-linejoin="round" font-family="Go, Helvetica, Arial, sans-serif" text-anchor="middle">
`, number(p.Width*scale), number(p.Height*scale), number(p.Width), number(p.Height))
	for _, s := range p.Shapes {
		if len(s.Points) == 0 {
			continue
		}
		x, y := s.Points[0][0], s.Points[0][1]
		switch s.Kind {
		case solvers.LineShape:
			fmt.Fprintf(out, `<polyline points="%s" fill="none" stroke-width="%s"%s/>`, pointList(lineOf(s.Points)), number(s.Size), tint("stroke", s.Colour))
		case solvers.DiscShape:
			fmt.Fprintf(out, `<circle cx="%s" cy="%s" r="%s"%s/>`, number(x), number(y), number(s.Size), tint("fill", s.Colour))
		case solvers.PolygonShape:
			fmt.Fprintf(out, `<polygon points="%s"%s/>`, pointList(s.Points), tint("fill", s.Colour))
		case solvers.TextShape:
			fmt.Fprintf(out, `<text x="%s" y="%s" font-size="%s"%s>`, number(x), number(y+s.Size/2), number(s.Size/capital), tint("fill", s.Colour))
			if err := xml.EscapeText(out, []byte(s.Text)); err != nil {
				return err
			}
			out.WriteString("</text>")
		}
		out.WriteByte('\n')
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Flush() // the first error of all writes
}

// lineOf returns the points of a line, of which SVG needs two at least.
func lineOf(points [][2]float64) [][2]float64 {
	if len(points) == 1 {
		return [][2]float64{points[0], points[0]}
	}
	return points
}

func pointList(points [][2]float64) string {
	var b strings.Builder
	for i, p := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(number(p[0]) + "," + number(p[1]))
	}
	return b.String()
}

// number is a number to the nearest thousandth, as short as it can be written.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// tint is the attribute for a colour.
func tint(attribute string, c color.NRGBA) string {
	text := fmt.Sprintf(` %s="#%02x%02x%02x"`, attribute, c.R, c.G, c.B)
	if c.A < 255 {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(float64(c.A)/255))
	}
	return text
}
