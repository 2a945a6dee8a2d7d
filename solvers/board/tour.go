package board

import (
	"math/rand/v2"
	"slices"
)

// bites is how often, in times of the board's cells, a tour is changed.
const bites = 20

// Tour is a random path through all cells of a board, from neighbour to neighbour. It begins as
// rows there and back. Repeatedly, one of its ends bites another of its neighbours on the path,
// and the part between the two is reversed.
func (s Size) Tour(random *rand.Rand) []Cell {
	var path []Cell
	for row := range s.Rows {
		for col := range s.Cols {
			if row%2 == 1 {
				col = s.Cols - 1 - col
			}
			path = append(path, s.At(row, col))
		}
	}
	for range bites * len(path) {
		if random.IntN(2) == 0 {
			slices.Reverse(path)
		}
		near := s.Neighbours(path[0])
		if at := slices.Index(path, near[random.IntN(len(near))]); at > 1 {
			slices.Reverse(path[:at])
		}
	}
	return path
}
