package flow

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers/board"
)

// Reason says in words why the puzzle has no solution. It is empty if no short reason is found:
// there may still be no solution. It takes no search, and shares only the puzzle's neighbours
// with Search.
func (p *Puzzle) Reason() string {
	g := newRoutes(p)
	if why := g.why(); why != "" {
		return why
	}
	why, changed := g.force()
	if why == "" && changed {
		why = g.why()
	}
	if why != "" {
		why = "after all the steps that are forced, " + why
	}
	return why
}

// routes are the steps that pipes can still take, for arguments that there is
// no solution. Its nodes are the cells that pipes go through. A bridge has two: one
// for its row and, right behind, one for its column.
type routes struct {
	puzzle *Puzzle
	dirs   int
	cell   []board.Cell // by node
	bridge []bool       // by node
	end    []int        // by node: the pipe whose end it is, or -1
	ends   [][2]int     // by pipe: nodes
	to     []int        // by node and direction: where the step leads, or -1
	forced []bool       // by node and direction: every solution takes the step
}

func newRoutes(p *Puzzle) *routes {
	g := &routes{puzzle: p, dirs: p.Dirs(), ends: make([][2]int, len(p.ends))}
	node := make([]int, p.size.Cells())
	for c, k := range p.kind {
		node[c] = len(g.cell)
		switch k {
		case plain:
			g.add(board.Cell(c), false, p.pipe[c])
		case bridge:
			g.add(board.Cell(c), true, -1)
			g.add(board.Cell(c), true, -1)
		}
	}
	for k, pair := range p.ends {
		g.ends[k] = [2]int{node[pair[0]], node[pair[1]]}
	}
	at := func(c board.Cell, d board.Dir) int {
		if p.kind[c] == bridge && d%2 == 0 {
			return node[c] + 1
		}
		return node[c]
	}
	g.to = make([]int, len(g.cell)*g.dirs)
	g.forced = make([]bool, len(g.to))
	for i := range g.to {
		g.to[i] = -1
	}
	for c, k := range p.kind {
		if k == hole {
			continue
		}
		for d := range board.Dir(g.dirs) {
			n := p.Neighbour(board.Cell(c), d)
			if n == board.None {
				continue
			}
			// No pipe steps from its end to another's.
			v, w := at(board.Cell(c), d), at(n, p.Opposite(d))
			if g.end[v] < 0 || g.end[w] < 0 || g.end[v] == g.end[w] {
				g.to[v*g.dirs+int(d)] = w
			}
		}
	}
	return g
}

func (g *routes) add(c board.Cell, bridge bool, end int) {
	g.cell = append(g.cell, c)
	g.bridge = append(g.bridge, bridge)
	g.end = append(g.end, end)
}

// around yields the steps that a node still has: their places in to, and the nodes
// they lead to.
func (g *routes) around(v int) func(yield func(way, to int) bool) {
	return func(yield func(way, to int) bool) {
		for way := v * g.dirs; way < (v+1)*g.dirs; way++ {
			if to := g.to[way]; to >= 0 && !yield(way, to) {
				return
			}
		}
	}
}

// back is the place in to of the step in the other direction.
func (g *routes) back(way int) int {
	return g.to[way]*g.dirs + int(g.puzzle.Opposite(board.Dir(way%g.dirs)))
}

// count is the number of a node's steps, and how many of them are forced.
func (g *routes) count(v int) (ways, forced int) {
	for way := range g.around(v) {
		ways++
		if g.forced[way] {
			forced++
		}
	}
	return ways, forced
}

// need is the number of steps that a pipe through a node takes there.
func (g *routes) need(v int) int {
	if g.end[v] >= 0 {
		return 1
	}
	return 2
}

func (g *routes) name(v int) string { return g.puzzle.size.Name(g.cell[v]) }

func (g *routes) label(pipe int) string { return g.puzzle.labels[pipe] }

// why tries every argument on the remaining steps, the simplest first.
func (g *routes) why() string {
	for _, argument := range []func() string{g.deadEnd, g.cutOff, g.crossing, g.checkerboard, g.shortage, g.crowd, g.passage} {
		if why := argument(); why != "" {
			return why
		}
	}
	return ""
}

// deadEnd looks for an end or cell with too few steps.
func (g *routes) deadEnd() string {
	for v, pipe := range g.end {
		ways, _ := g.count(v)
		switch {
		case pipe >= 0 && ways == 0:
			return fmt.Sprintf("the end of %s at %s is walled in", g.label(pipe), g.name(v))
		case pipe >= 0 || ways > 1 || !g.puzzle.covering:
		case g.bridge[v]:
			along := "row"
			if v > 0 && g.cell[v-1] == g.cell[v] {
				along = "column"
			}
			return fmt.Sprintf("the bridge at %s cannot be crossed along its %s", g.name(v), along)
		case ways == 0:
			return fmt.Sprintf("no pipe can reach %s", g.name(v))
		default:
			for _, to := range g.around(v) {
				return fmt.Sprintf("%s is no end and only %s leads to it", g.name(v), g.name(to))
			}
		}
	}
	return ""
}

// regions numbers the connected components of the nodes without ends. open lists
// for each pipe those that touch both of its ends, and next tells whether its ends
// are neighbours: a pipe runs through one of the regions, or steps directly.
func (g *routes) regions() (region []int, count int, open [][]int, next []bool) {
	region = make([]int, len(g.cell))
	for v := range region {
		region[v] = -1
	}
	var queue []int
	for v := range g.cell {
		if region[v] >= 0 || g.end[v] >= 0 {
			continue
		}
		region[v] = count
		queue = append(queue[:0], v)
		for i := 0; i < len(queue); i++ {
			for _, to := range g.around(queue[i]) {
				if region[to] < 0 && g.end[to] < 0 {
					region[to] = count
					queue = append(queue, to)
				}
			}
		}
		count++
	}
	open = make([][]int, len(g.ends))
	next = make([]bool, len(g.ends))
	for k, pair := range g.ends {
		for _, a := range g.around(pair[0]) {
			if a == pair[1] {
				next[k] = true
				continue
			}
			for _, b := range g.around(pair[1]) {
				if region[a] == region[b] && !slices.Contains(open[k], region[a]) {
					open[k] = append(open[k], region[a])
				}
			}
		}
	}
	return region, count, open, next
}

// cutOff looks for ends that are not connected, and for regions that no pipe could
// cover.
func (g *routes) cutOff() string {
	region, count, open, next := g.regions()
	served := make([]bool, count)
	for k, pair := range g.ends {
		if len(open[k]) == 0 && !next[k] {
			return fmt.Sprintf("the ends of %s at %s and at %s are cut off from each other", g.label(k), g.name(pair[0]), g.name(pair[1]))
		}
		for _, r := range open[k] {
			served[r] = true
		}
	}
	if !g.puzzle.covering {
		return ""
	}
	for v, r := range region {
		if r >= 0 && !served[r] {
			return fmt.Sprintf("no pipe can cover %s: no colour has both its ends beside the empty cells there", g.name(v))
		}
	}
	return ""
}

// crossing goes around every face of the planar graph of steps, the outer one
// among them. Where the ends of two pipes alternate, the pipes would cross.
func (g *routes) crossing() string {
	if g.puzzle.topology == Warp || slices.Contains(g.bridge, true) {
		return ""
	}
	gone := make([]bool, len(g.to))
	last := make([]int, len(g.cell)) // by node: the face on which it was met last, from 1
	var around []int                 // the pipes whose ends are met on a face, in order
	for start, to := range g.to {
		if to < 0 || gone[start] {
			continue
		}
		around = around[:0]
		for way := start; !gone[way]; way = g.turn(way) {
			gone[way] = true
			v := way / g.dirs
			if pipe := g.end[v]; pipe >= 0 && last[v] != start+1 {
				last[v] = start + 1
				around = append(around, pipe)
			}
		}
		if a, b, ok := alternating(around); ok {
			return fmt.Sprintf("%s (from %s to %s) and %s (from %s to %s) would have to cross, as their ends alternate around one rim or gap",
				g.label(a), g.name(g.ends[a][0]), g.name(g.ends[a][1]), g.label(b), g.name(g.ends[b][0]), g.name(g.ends[b][1]))
		}
	}
	return ""
}

// turn is the next step around a face: it turns as far as possible.
func (g *routes) turn(way int) int {
	w, d := g.to[way], g.back(way)
	for {
		d = w*g.dirs + (d+1)%g.dirs
		if g.to[d] >= 0 {
			return d
		}
	}
}

// alternating finds two pipes that take turns in a list of pipes.
func alternating(pipes []int) (a, b int, ok bool) {
	if len(pipes) < 4 {
		return 0, 0, false
	}
	met := map[int]int{}
	for _, pipe := range pipes {
		met[pipe]++
	}
	var stack []int
	for _, pipe := range pipes {
		switch top := len(stack) - 1; {
		case met[pipe] < 2:
		case top >= 0 && stack[top] == pipe:
			stack = stack[:top]
		case slices.Contains(stack, pipe):
			return pipe, stack[top], true
		default:
			stack = append(stack, pipe)
		}
	}
	return 0, 0, false
}

// checkerboard colours the board like a checkerboard. A pipe alternates between
// dark and light cells, so that its ends tell which colour it covers more often.
func (g *routes) checkerboard() string {
	size := g.puzzle.size
	dark := func(v int) int {
		if (size.Row(g.cell[v])+size.Col(g.cell[v]))%2 == 0 {
			return 1
		}
		return -1
	}
	if !g.puzzle.covering {
		return ""
	}
	for way, to := range g.to {
		if to >= 0 && dark(way/g.dirs) == dark(to) {
			return "" // hexes, and warps of an odd size
		}
	}
	region, count, open, next := g.regions()
	surplus := make([]int, count) // of dark over light nodes
	low, high := make([]int, count), make([]int, count)
	somewhere := slices.Repeat([]int{-1}, count)
	for v, r := range region {
		if r >= 0 {
			if surplus[r] += dark(v); somewhere[r] < 0 {
				somewhere[r] = v
			}
		}
	}
	for k, pair := range g.ends {
		// Between two ends of one colour the pipe has one more of the other.
		more := -(dark(pair[0]) + dark(pair[1])) / 2
		for _, r := range open[k] {
			low[r] += min(more, 0)
			high[r] += max(more, 0)
		}
		if len(open[k]) == 1 && !next[k] {
			r := open[k][0]
			low[r] += max(more, 0)
			high[r] += min(more, 0)
		}
	}
	for r, s := range surplus {
		if s >= low[r] && s <= high[r] {
			continue
		}
		bound := low[r]
		if s > bound {
			bound = high[r]
		}
		return fmt.Sprintf("on a checkerboard whose first cell is dark, the empty cells around %s have %s, and their pipes can only cover %s",
			g.name(somewhere[r]), balance(s), balance(bound))
	}
	return ""
}

// balance says in words how many more dark cells there are than light ones.
func balance(surplus int) string {
	switch {
	case surplus == 0:
		return "as many dark ones as light ones"
	case surplus < 0:
		return fmt.Sprintf("%d more light than dark ones", -surplus)
	}
	return fmt.Sprintf("%d more dark than light ones", surplus)
}

// mostShort is the most cells that shortage names.
const mostShort = 5

// shortage looks for a few cells that need more steps than their neighbours
// can take (Hall's theorem). Each step is counted as seen from one side, so that it
// does not matter whether the graph is bipartite.
func (g *routes) shortage() string {
	if !g.puzzle.covering {
		return ""
	}
	s := newSharing(g)
	for v := range g.cell {
		for s.out[v] < g.need(v) {
			if s.more(v) {
				continue
			}
			short := g.shortest(s.queue)
			if len(short) > mostShort {
				return ""
			}
			slices.Sort(short)
			need, offer := g.balance(short)
			return fmt.Sprintf("the neighbours of %s can take %d of the %d steps that pipes make from there", g.names(short), offer, need)
		}
	}
	return ""
}

// shortest drops nodes from those that need more steps than their neighbours can
// take, as long as that is still so.
func (g *routes) shortest(nodes []int) []int {
	short := slices.Clone(nodes)
	for i := len(short) - 1; i >= 0; i-- {
		fewer := slices.Delete(slices.Clone(short), i, i+1)
		if need, offer := g.balance(fewer); need > offer {
			short = fewer
		}
	}
	return short
}

// sharing is the steps that nodes take, as many as each needs and as its
// neighbours can take from it.
type sharing struct {
	*routes
	taken   []bool // by node and direction: the node takes the step
	out, in []int  // by node: the steps that it takes, and those taken to it
	queue   []int  // of the last search: the nodes reached

	// The search before a step is found, by node: when it was last reached as
	// one that takes a step or to which one is taken, and by which step.
	seenOut, seenIn, cameOut, cameIn []int
	clock                            int
}

// newSharing takes steps greedily.
func newSharing(g *routes) *sharing {
	n := len(g.cell)
	s := &sharing{
		routes: g, taken: make([]bool, len(g.to)), out: make([]int, n), in: make([]int, n),
		seenOut: make([]int, n), seenIn: make([]int, n), cameOut: make([]int, n), cameIn: make([]int, n),
	}
	for way, to := range g.to {
		if v := way / g.dirs; to >= 0 && s.out[v] < g.need(v) && s.in[to] < g.need(to) {
			s.taken[way] = true
			s.out[v]++
			s.in[to]++
		}
	}
	return s
}

// more finds one more step for v, for which others may give up one for another (an
// augmenting path). If there is none, the nodes in the queue need more than their
// neighbours can take.
func (s *sharing) more(v int) bool {
	s.clock++
	s.seenOut[v] = s.clock
	s.queue = append(s.queue[:0], v)
	for i := 0; i < len(s.queue); i++ {
		for way, to := range s.around(s.queue[i]) {
			if s.taken[way] || s.seenIn[to] == s.clock {
				continue
			}
			s.seenIn[to], s.cameIn[to] = s.clock, way
			if s.in[to] < s.need(to) {
				s.in[to]++
				s.out[v]++
				s.exchange(v, to)
				return true
			}
			// Whoever takes a step to it might take another.
			for way := range s.around(to) {
				back := s.back(way)
				if other := s.to[way]; s.taken[back] && s.seenOut[other] != s.clock {
					s.seenOut[other], s.cameOut[other] = s.clock, back
					s.queue = append(s.queue, other)
				}
			}
		}
	}
	return false
}

// exchange takes and gives up steps along the way that the search found, from its
// end back to its start.
func (s *sharing) exchange(start, end int) {
	for w := end; ; {
		way := s.cameIn[w]
		s.taken[way] = true
		v := way / s.dirs
		if v == start {
			return
		}
		given := s.cameOut[v]
		s.taken[given] = false
		w = s.to[given]
	}
}

// balance is the number of steps that some nodes need, and the number that their
// neighbours can take from them.
func (g *routes) balance(nodes []int) (need, offer int) {
	wanted := map[int]int{}
	for _, v := range nodes {
		need += g.need(v)
		for _, to := range g.around(v) {
			wanted[to]++
		}
	}
	for to, n := range wanted {
		offer += min(n, g.need(to))
	}
	return need, offer
}

func (g *routes) names(nodes []int) string {
	names := make([]string, len(nodes))
	for i, v := range nodes {
		names[i] = g.name(v)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// crowd looks for a line between two rows or columns that too many pipes have to
// cross.
func (g *routes) crowd() string {
	size := g.puzzle.size
	for _, line := range []struct {
		name  string
		lines int
		of    func(board.Cell) int
	}{{"rows", size.Rows, size.Row}, {"columns", size.Cols, size.Col}} {
		// By line: the pipes that cross it, and the nodes on each side with a step across.
		pipes, before, behind := make([]int, line.lines), make([]int, line.lines), make([]int, line.lines)
		for _, pair := range g.ends {
			a, b := line.of(g.cell[pair[0]]), line.of(g.cell[pair[1]])
			for i := min(a, b); i < max(a, b); i++ {
				pipes[i]++
			}
		}
		for v := range g.cell {
			// The lines that steps from here lead across.
			here := line.of(g.cell[v])
			least, most := here, here
			for _, to := range g.around(v) {
				least, most = min(least, line.of(g.cell[to])), max(most, line.of(g.cell[to]))
			}
			for i := here; i < most; i++ {
				before[i]++
			}
			for i := least; i < here; i++ {
				behind[i]++
			}
		}
		for i, n := range pipes[:line.lines-1] {
			if room := min(before[i], behind[i]); n > room {
				return fmt.Sprintf("%s have to get from %s %d to %d, where there is room for %d", board.Count(n, "pipe"), line.name, i+1, i+2, room)
			}
		}
	}
	return ""
}

// mostPassages is the greatest number of pipes times cells for which passage is
// tried: that takes about 0.1 s.
const mostPassages = 4_000_000

// passage looks for cells that every way of a pipe leads through, and for pipes
// that are cut off by those of others.
func (g *routes) passage() string {
	if len(g.ends)*len(g.cell) > mostPassages {
		return ""
	}
	owner := make([]int, len(g.cell)) // by node: the pipe whose ways all lead through it, or -1
	for v := range owner {
		owner[v] = -1
	}
	t := newTree(len(g.cell))
	for again := true; again; {
		again = false
		for k := range g.ends {
			musts, reached := g.musts(k, owner, &t)
			if !reached {
				for _, v := range t.order {
					for _, to := range g.around(v) {
						if other := owner[to]; other >= 0 && other != k {
							return fmt.Sprintf("the ends of %s are cut off from each other by cells that others cannot do without, such as %s for %s",
								g.label(k), g.name(to), g.label(other))
						}
					}
				}
			}
			for _, v := range musts {
				if owner[v] < 0 {
					owner[v] = k
					again = true
				}
			}
		}
	}
	return ""
}

// tree is the working memory of a depth-first search.
type tree struct {
	mark, low, parent, next, order []int
	clock                          int
}

func newTree(nodes int) tree {
	return tree{mark: make([]int, nodes), low: make([]int, nodes), parent: make([]int, nodes), next: make([]int, nodes)}
}

// below is the number of nodes that were entered from v on, v included.
func (t *tree) below(v int) int {
	at := slices.Index(t.order, v)
	n := at + 1
	for n < len(t.order) && t.mark[t.parent[t.order[n]]] >= t.mark[v] {
		n++
	}
	return n - at
}

func (t *tree) enter(v, parent int) {
	t.clock++
	t.mark[v], t.low[v] = t.clock, t.clock
	t.parent[v] = parent
	t.next[v] = 0
	t.order = append(t.order, v)
}

// musts are the nodes that every way between the ends of a pipe leads through
// (articulation points, after Tarjan). Ways avoid the nodes that others own.
// reached is whether there is a way at all.
func (g *routes) musts(pipe int, owner []int, t *tree) (musts []int, reached bool) {
	from, goal := g.ends[pipe][0], g.ends[pipe][1]
	base := t.clock
	t.order = t.order[:0]
	t.enter(from, -1)
	for v := from; v >= 0; {
		if t.next[v] == g.dirs {
			u := t.parent[v]
			if u >= 0 {
				t.low[u] = min(t.low[u], t.low[v])
			}
			v = u
			continue
		}
		to := g.to[v*g.dirs+t.next[v]]
		t.next[v]++
		switch {
		case to < 0 || g.end[to] >= 0 && g.end[to] != pipe || owner[to] >= 0 && owner[to] != pipe:
		case t.mark[to] <= base:
			t.enter(to, v)
			v = to
		case to != t.parent[v]:
			t.low[v] = min(t.low[v], t.mark[to])
		}
	}
	if t.mark[goal] <= base {
		return nil, false
	}
	for v := goal; ; {
		u := t.parent[v]
		if u < 0 || u == from {
			return musts, true
		}
		if t.low[v] >= t.mark[u] {
			musts = append(musts, u)
		}
		v = u
	}
}

// force draws the steps that every solution takes and drops those that none
// takes, as far as the counts of steps at each node and the ends of the pieces
// drawn show. why says how they contradict each other, if they do.
func (g *routes) force() (why string, changed bool) {
	mate := g.mates()
	for again := true; again; changed = changed || again {
		again = false
		for v := range g.cell {
			why, acted := g.forceAt(v, mate)
			if why != "" {
				return why, true
			}
			again = again || acted
		}
	}
	return "", changed
}

// mates are by the end of a drawn piece its other end, before any is drawn.
func (g *routes) mates() []int {
	mate := make([]int, len(g.cell))
	for v := range mate {
		mate[v] = v
	}
	return mate
}

// forceAt draws and drops steps of one node, and reports whether there were any.
func (g *routes) forceAt(v int, mate []int) (why string, acted bool) {
	need := g.need(v)
	ways, forced := g.count(v)
	optional := !g.puzzle.covering && g.end[v] < 0 && forced == 0
	switch {
	case forced > need:
		return fmt.Sprintf("%s is needed by too many neighbours", g.name(v)), false
	case ways < need && !optional:
		return fmt.Sprintf("%s is a dead end", g.name(v)), false
	case ways == forced:
		return "", false // nothing is left to decide
	case ways < need, forced == need:
		for way := range g.around(v) {
			if !g.forced[way] {
				g.drop(way)
			}
		}
		return "", true
	case ways == need && !optional:
		return g.draw(v, mate), true
	}
	return "", g.dropJoints(v, mate)
}

// draw draws all the steps of a node, and says why that is impossible where it is.
func (g *routes) draw(v int, mate []int) (why string) {
	for way := range g.around(v) {
		if g.forced[way] {
			continue
		}
		if why := g.drawOne(way, mate); why != "" {
			return why
		}
	}
	return ""
}

// drawOne draws one step, and says why that is impossible where it is.
func (g *routes) drawOne(way int, mate []int) (why string) {
	v, to := way/g.dirs, g.to[way]
	a, b := mate[v], mate[to]
	_, here := g.count(v)
	_, full := g.count(to)
	switch {
	case full == g.need(to):
		return fmt.Sprintf("%s is needed by too many neighbours", g.name(to))
	case here == g.need(v):
		return fmt.Sprintf("%s is needed by too many neighbours", g.name(v))
	case a == to:
		return fmt.Sprintf("the pipe through %s is a loop", g.name(v))
	case g.differ(a, b):
		return fmt.Sprintf("%s and %s are joined at %s", g.label(g.end[a]), g.label(g.end[b]), g.name(v))
	}
	g.forced[way], g.forced[g.back(way)] = true, true
	mate[a], mate[b] = b, a
	// Inside a piece nothing more can be joined; the counts see to that.
	return ""
}

// dropJoints drops the steps of a node that would close a loop or join the pipes
// of two colours.
func (g *routes) dropJoints(v int, mate []int) (dropped bool) {
	for way, to := range g.around(v) {
		if _, forced := g.count(to); g.forced[way] || forced >= g.need(to) {
			continue
		}
		if a := mate[v]; a == to || g.differ(a, mate[to]) {
			g.drop(way)
			dropped = true
		}
	}
	return dropped
}

// differ reports whether two nodes are ends of different pipes.
func (g *routes) differ(a, b int) bool {
	return g.end[a] >= 0 && g.end[b] >= 0 && g.end[a] != g.end[b]
}

// drop removes a step, in both directions.
func (g *routes) drop(way int) {
	back := g.back(way)
	g.to[way], g.to[back] = -1, -1
}
