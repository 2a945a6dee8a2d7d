package alcazar

import (
	"fmt"
	"slices"

	"tapwise/solvers/board"
)

// crowded is the checkerboard argument for parts of a board. Light and dark rooms
// take turns on the path, which uses two doors of each: some rooms of one colour may
// together need more doors than the neighbouring rooms of the other colour can
// offer. Such rooms are found by choosing doors for the light rooms one by one,
// taking back earlier choices where that helps (augmenting paths). The reason in
// words is empty when there is none of this kind.
func (p *Puzzle) crowded() string {
	var best shortage
	for _, light := range []bool{true, false} {
		c := p.newChoice(light)
		for v := range c.need[:c.right] {
			for c.used[v] < c.need[v] {
				s := c.augment(v)
				if s.doors == 0 {
					continue
				}
				if best.doors == 0 || s.simpler(best) {
					best = s
				}
				break
			}
		}
	}
	if best.doors == 0 {
		return ""
	}
	also := ""
	if best.outside {
		also = " and of the outside"
	}
	return fmt.Sprintf("on a chessboard the path needs %d doors of %s of one colour%s, around %s, but the rooms of the other colour there offer only %d",
		best.doors, board.Count(best.rooms, "room"), also, p.size.Name(best.at), best.offered)
}

// shortage says that rooms of one colour need more doors than are offered.
type shortage struct {
	rooms          int
	outside        bool // it is one of them
	at             board.Cell
	doors, offered int
}

// simpler reports whether a shortage is easier to understand than another.
func (s shortage) simpler(t shortage) bool {
	if s.outside != t.outside {
		return t.outside
	}
	return s.rooms < t.rooms
}

// choice is the doors that are chosen so far. Its nodes are the rooms and the outside
// twice, once for each colour; those of the colour that chooses come first. Each
// node needs a number of its doors to be chosen.
type choice struct {
	right   int // the number of nodes that choose
	rooms   []board.Cell
	need    []int
	used    []int
	doors   [][]door // by node
	from    []int    // by node: the one it was reached from; -1 not yet
	reached []int
}

// door leads from one node to another; both have it.
type door struct {
	to     int
	chosen *bool
}

// newChoice has no door chosen. The light rooms choose, or the dark ones.
func (p *Puzzle) newChoice(light bool) *choice {
	c := &choice{}
	node := make([]int, p.size.Cells())
	surplus := p.surplus()
	for _, choosing := range []bool{true, false} {
		for _, room := range p.rooms {
			if (p.light(room) == light) == choosing {
				node[room] = len(c.need)
				c.rooms = append(c.rooms, room)
				c.need = append(c.need, 2)
			}
		}
		// With as many rooms of each colour one end of the path is at each, else
		// both are at the colour with one more: the outside counts as the other.
		ends := 1
		if surplus != 0 {
			ends = 0
			if (choosing == light) != (surplus > 0) {
				ends = 2
			}
		}
		c.rooms = append(c.rooms, board.None)
		c.need = append(c.need, ends)
		if choosing {
			c.right = len(c.need)
		}
	}
	c.used = make([]int, len(c.need))
	c.from = slices.Repeat([]int{-1}, len(c.need))
	c.doors = make([][]door, len(c.need))
	join := func(a, b int) {
		chosen := new(bool)
		c.doors[a] = append(c.doors[a], door{b, chosen})
		c.doors[b] = append(c.doors[b], door{a, chosen})
	}
	for _, room := range p.rooms {
		for d := range board.Dir(4) {
			n := p.neighbour(room, d)
			switch {
			case !p.Open(room, d):
			case n != board.None && (d == board.East || d == board.South):
				join(node[room], node[n])
			case n == board.None && p.light(room) == light:
				join(node[room], len(c.need)-1)
			case n == board.None:
				join(node[room], c.right-1)
			}
		}
	}
	return c
}

// augment chooses one more door for a node. The shortage says why that is impossible;
// it has no doors when it is possible.
func (c *choice) augment(start int) shortage {
	for _, v := range c.reached {
		c.from[v] = -1
	}
	c.from[start] = start
	reached := append(c.reached[:0], start)
	defer func() { c.reached = reached }()
	for i := 0; i < len(reached); i++ {
		v := reached[i]
		if v >= c.right && c.used[v] < c.need[v] {
			c.used[start]++
			c.used[v]++
			for v != start {
				u := c.from[v]
				for _, d := range c.doors[v] {
					if d.to == u && *d.chosen != (v >= c.right) {
						*d.chosen = !*d.chosen
						break
					}
				}
				v = u
			}
			return shortage{}
		}
		for _, d := range c.doors[v] {
			// On by a door not chosen, back by a chosen one.
			if c.from[d.to] < 0 && *d.chosen == (v >= c.right) {
				c.from[d.to] = v
				reached = append(reached, d.to)
			}
		}
	}
	// Nothing that can be reached has a door to spare, and all doors from here
	// to elsewhere are chosen.
	s := shortage{at: c.rooms[start]}
	for _, v := range reached {
		if v >= c.right {
			s.offered += c.need[v]
			continue
		}
		s.doors += c.need[v]
		if c.rooms[v] == board.None {
			s.outside = s.outside || c.need[v] > 0
		} else {
			s.rooms++
			if s.at == board.None {
				s.at = c.rooms[v]
			}
		}
		for _, d := range c.doors[v] {
			if c.from[d.to] < 0 {
				s.offered++
			}
		}
	}
	return s
}
