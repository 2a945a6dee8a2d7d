package gametest

import (
	"image"
	"image/color"
)

// blank is a canvas that only counts what is drawn on it.
type blank struct {
	size    image.Point
	strokes int
}

func (b *blank) Size() image.Point                                 { return b.size }
func (b *blank) Fill(color.NRGBA)                                  { b.strokes++ }
func (b *blank) Rect(_, _, _, _ float64, _ color.NRGBA)            { b.strokes++ }
func (b *blank) RoundRect(_, _, _, _, _ float64, _ color.NRGBA)    { b.strokes++ }
func (b *blank) Circle(_, _, _ float64, _ color.NRGBA)             { b.strokes++ }
func (b *blank) Polygon(_ [][2]float64, _ color.NRGBA)             { b.strokes++ }
func (b *blank) Polyline(_ [][2]float64, _ float64, _ color.NRGBA) { b.strokes++ }
func (b *blank) Text(_, _, _, _ float64, _ string, _ color.NRGBA)  { b.strokes++ }
func (b *blank) Picture(_, _ int, _ *image.NRGBA)                  { b.strokes++ }
