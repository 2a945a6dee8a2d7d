package asteroid

import "context"

// graph is all positions that can be reached from the first ones, and the slides
// between them. Every slide can be undone.
type graph struct {
	rules     *rules
	positions []position
	next      [][4]int32 // of each position, by direction of the slide: the position then, or -1
}

func newGraph(ctx context.Context, r *rules, starts ...position) (*graph, error) {
	e := newExplorer(r)
	for _, start := range starts {
		e.find(start, unmoved)
	}
	var next [][4]int32
	for at := 0; at < len(e.positions); at++ {
		if at%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next = append(next, e.expand(at))
	}
	return &graph{r, e.positions, next}, nil
}

// distances are, by position, the number of slides to the nearest goal, -1 when there
// is none.
func (g *graph) distances(goal func(position) bool) []int32 {
	distance := make([]int32, len(g.positions))
	var queue []int32
	for i, p := range g.positions {
		distance[i] = -1
		if goal(p) {
			distance[i] = 0
			queue = append(queue, int32(i))
		}
	}
	for head := 0; head < len(queue); head++ {
		at := queue[head]
		for _, next := range g.next[at] {
			if next >= 0 && distance[next] < 0 {
				distance[next] = distance[at] + 1
				queue = append(queue, next)
			}
		}
	}
	return distance
}
