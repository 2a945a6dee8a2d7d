package alcazar

import (
	"fmt"
	"strings"

	"tapwise/solvers/board"
)

// hopeless is a short reason why there is no solution, empty when none is found.
func (p *Puzzle) hopeless() string {
	openings := p.Openings()
	switch len(openings) {
	case 0:
		return "the board has no opening, expected at least 2"
	case 1:
		return fmt.Sprintf("the board has one opening, %s, expected at least 2", p.name(openings[0]))
	}
	for _, argue := range []func([]Opening) string{p.fewDoors, p.unbalanced, p.cutOff, p.forced} {
		if reason := argue(openings); reason != "" {
			return reason
		}
	}
	return ""
}

// doors is the number of open sides of a room.
func (p *Puzzle) doors(c board.Cell) int {
	n := 0
	for d := range board.Dir(4) {
		if p.Open(c, d) {
			n++
		}
	}
	return n
}

// fewDoors finds a room that the path cannot both enter and leave.
func (p *Puzzle) fewDoors([]Opening) string {
	for _, c := range p.rooms {
		switch p.doors(c) {
		case 0:
			return fmt.Sprintf("%s has no door", p.size.Name(c))
		case 1:
			return fmt.Sprintf("%s has only one door", p.size.Name(c))
		}
	}
	return ""
}

// unbalanced is the checkerboard argument: along the path the colours of a
// chessboard take turns, which tells the colours of its first and last room.
func (p *Puzzle) unbalanced(openings []Opening) string {
	light, rooms := 0, map[board.Cell]bool{}
	for _, o := range openings {
		rooms[o.Room] = true
		if p.light(o.Room) {
			light++
		}
	}
	cells, surplus := len(p.rooms), p.surplus()
	switch {
	case cells > 1 && len(rooms) == 1:
		return fmt.Sprintf("all openings are at %s, but the path must begin and end in different rooms", p.size.Name(openings[0].Room))
	case surplus < -1 || surplus > 1:
		return fmt.Sprintf("on a chessboard there are %d rooms of one colour and %d of the other, but along a path the colours take turns",
			(cells+max(surplus, -surplus))/2, (cells-max(surplus, -surplus))/2)
	case surplus == 0 && (light == 0 || light == len(openings)):
		return fmt.Sprintf("on a chessboard all %d openings are at rooms of one colour, but a path through %d rooms begins and ends on different colours",
			len(openings), cells)
	}
	colour := "the corners' colour"
	if p.none != nil {
		colour = "the colour with more rooms"
	}
	if surplus < 0 {
		light = len(openings) - light // those at dark rooms
	}
	if surplus != 0 && light < 2 {
		return fmt.Sprintf("on a chessboard a path through %d rooms begins and ends on %s, where %s",
			cells, colour, [...]string{"there is no opening", "there is only one opening"}[light])
	}
	return ""
}

// cutOff finds rooms that are not connected to an opening, or only through one room
// (an articulation point, by Tarjan's depth-first search).
func (p *Puzzle) cutOff(openings []Opening) string {
	cells := p.size.Cells()
	var (
		outside = cells // as a node beside the rooms
		order   = make([]int, cells+1)
		low     = make([]int, cells+1) // the earliest node that has an edge from here or from behind
		parent  = make([]int, cells+1)
		next    = make([]int, cells+1) // of rooms: the side to look at; of outside: the opening
		clock   = 1
	)
	order[outside], low[outside] = clock, clock
	for v := outside; ; {
		w := -1
		switch {
		case v == outside && next[v] < len(openings):
			w = int(openings[next[v]].Room)
		case v != outside && next[v] < 4:
			if d := board.Dir(next[v]); p.Open(board.Cell(v), d) {
				w = outside
				if n := p.neighbour(board.Cell(v), d); n != board.None {
					w = int(n)
				}
			}
		case v == outside:
			for _, c := range p.rooms {
				if order[c] == 0 {
					return fmt.Sprintf("no way leads from an opening to %s", p.size.Name(c))
				}
			}
			return p.apart()
		default:
			u := parent[v]
			low[u] = min(low[u], low[v])
			if u != outside && low[v] >= order[u] {
				return fmt.Sprintf("%s can be reached only through %s, and the path cannot come back",
					p.size.Name(board.Cell(v)), p.size.Name(board.Cell(u)))
			}
			v = u
			continue
		}
		next[v]++
		switch {
		case w < 0:
		case order[w] == 0:
			clock++
			order[w], low[w], parent[w] = clock, clock, v
			v = w
		case w != parent[v]:
			low[v] = min(low[v], order[w])
		}
	}
}

// apart finds two rooms that are not connected inside the board.
func (p *Puzzle) apart() string {
	rooms := board.NewSets(p.size.Cells())
	for _, c := range p.rooms {
		for d := range board.Dir(4) {
			if n := p.neighbour(c, d); n != board.None && p.Open(c, d) {
				rooms.Join(int(c), int(n))
			}
		}
	}
	first := p.rooms[0]
	for _, c := range p.rooms {
		if rooms.Find(int(c)) != rooms.Find(int(first)) {
			return fmt.Sprintf("no way leads from %s to %s", p.size.Name(first), p.size.Name(c))
		}
	}
	return ""
}

// forced follows the passages of rooms with two doors, which the path must take:
// three of them must not meet in a room, and they must not close a loop.
func (p *Puzzle) forced(openings []Opening) string {
	rooms := board.NewSets(p.size.Cells())
	taken := func(c board.Cell, d board.Dir) bool {
		if !p.Open(c, d) {
			return false
		}
		n := p.neighbour(c, d)
		return p.doors(c) == 2 || n != board.None && p.doors(n) == 2
	}
	for _, c := range p.rooms {
		var neighbours []string
		for d := range board.Dir(4) {
			if !taken(c, d) {
				continue
			}
			n := p.neighbour(c, d)
			if n == board.None {
				continue
			}
			neighbours = append(neighbours, p.size.Name(n))
			if (d == board.East || d == board.South) && !rooms.Join(int(c), int(n)) {
				return fmt.Sprintf("rooms with only two doors force the path into a loop through %s", p.size.Name(c))
			}
		}
		if len(neighbours) > 2 {
			return fmt.Sprintf("the path would have to visit %s more than once: %s have only two doors each, and one leads there",
				p.size.Name(c), strings.Join(neighbours, ", "))
		}
	}
	var needed []string
	for _, o := range openings {
		if taken(o.Room, o.Side) {
			needed = append(needed, p.size.Name(o.Room))
		}
	}
	if len(needed) > 2 {
		return fmt.Sprintf("the path would have to use more than two openings: %s have only two doors each, and one is an opening",
			strings.Join(needed, ", "))
	}
	return ""
}
