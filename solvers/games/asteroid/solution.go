package asteroid

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Move is one tile sliding one place, or the spacecraft leaving.
type Move struct {
	From board.Cell // where the tile is, of the 3×3 board
	Dir  board.Dir  // where it slides; South when it leaves
	Exit bool       // it leaves the board
}

// directions are the names of board.North, East, South and West.
var directions = []string{"up", "right", "down", "left"}

// String is the move in the notation of the package comment.
func (m Move) String() string {
	return fmt.Sprintf("%d,%d %s", size.Row(m.From), size.Col(m.From), m.way())
}

// way is where the tile goes.
func (m Move) way() string {
	if m.Exit {
		return "exit"
	}
	return directions[m.Dir]
}

// words is the move for people, who count from 1.
func (m Move) words() string {
	if m.Exit {
		return size.Name(m.From) + ": out by the exit"
	}
	return size.Name(m.From) + ": " + m.way()
}

// Solution is somebody's claim of the moves. It may break the rules.
type Solution struct {
	puzzle *Puzzle
	moves  []Move
}

// ParseSolution reads a solution as String writes it.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	s := &Solution{puzzle: p}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		m, ok := parseMove(line)
		if !ok {
			return nil, fmt.Errorf("asteroid: solution line %d: %q, expected ROW,COL from 0,0 to 2,2 and %s or exit", i+1, line, strings.Join(directions, ", "))
		}
		s.moves = append(s.moves, m)
	}
	return s, nil
}

func parseMove(line string) (Move, bool) {
	place, name, _ := strings.Cut(line, " ")
	if len(place) != 3 || place[1] != ',' {
		return Move{}, false
	}
	from := size.At(int(place[0])-'0', int(place[2])-'0')
	if from == board.None {
		return Move{}, false
	}
	if name == "exit" {
		return Move{From: from, Dir: board.South, Exit: true}, true
	}
	d := slices.Index(directions, name)
	return Move{From: from, Dir: board.Dir(d)}, d >= 0
}

// String is the solution in the game's notation.
func (s *Solution) String() string { return strings.Join(s.Moves(), "\n") }

// Moves are the moves in order, each in the notation of the package comment.
func (s *Solution) Moves() []string {
	moves := make([]string, len(s.moves))
	for i, m := range s.moves {
		moves[i] = m.String()
	}
	return moves
}

// Animation is the position before the first move and after each. It ends before the
// first move without a tile or onto another tile.
func (s *Solution) Animation() []string {
	at := s.puzzle.at
	boards := []string{draw(at)}
	for _, m := range s.moves {
		if at[m.From] == hole {
			break
		}
		if !m.Exit {
			to := size.Beside(m.From, m.Dir)
			if to == board.None || at[to] != hole {
				break
			}
			at[to] = at[m.From]
		}
		at[m.From] = hole
		boards = append(boards, draw(at))
	}
	return boards
}
