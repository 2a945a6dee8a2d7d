package csp

import "math"

// The heap orders unassigned variables by activity. A variable that was
// assigned meanwhile may still be in it; pick skips those.

func (s *Search) before(a, b int32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a < b
}

func (s *Search) heapInsert(v int32) {
	if s.heapIndex[v] >= 0 {
		return
	}
	s.heap = append(s.heap, v)
	s.heapIndex[v] = int32(len(s.heap) - 1)
	s.heapUp(len(s.heap) - 1)
}

func (s *Search) heapPop() int32 {
	top := s.heap[0]
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	s.heapIndex[top] = -1
	if len(s.heap) > 0 {
		s.heap[0] = last
		s.heapIndex[last] = 0
		s.heapDown(0)
	}
	return top
}

func (s *Search) heapUp(i int) {
	v := s.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !s.before(v, s.heap[parent]) {
			break
		}
		s.heap[i] = s.heap[parent]
		s.heapIndex[s.heap[i]] = int32(i)
		i = parent
	}
	s.heap[i] = v
	s.heapIndex[v] = int32(i)
}

func (s *Search) heapDown(i int) {
	v := s.heap[i]
	for {
		child := 2*i + 1
		if child >= len(s.heap) {
			break
		}
		if child+1 < len(s.heap) && s.before(s.heap[child+1], s.heap[child]) {
			child++
		}
		if !s.before(s.heap[child], v) {
			break
		}
		s.heap[i] = s.heap[child]
		s.heapIndex[s.heap[i]] = int32(i)
		i = child
	}
	s.heap[i] = v
	s.heapIndex[v] = int32(i)
}

// bumpBy raises the activity of a variable.
func (s *Search) bumpBy(v int32, amount float64) {
	s.activity[v] += amount
	if s.heapIndex[v] >= 0 {
		s.heapUp(int(s.heapIndex[v]))
	}
}

// redraw draws all activities anew at random, but those of Defer.
func (s *Search) redraw() {
	for v, a := range s.activity {
		if !math.IsInf(a, -1) {
			s.activity[v] = s.noise()
		}
	}
	s.activityStep = 1
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.heapDown(i)
	}
}

// rescale keeps activities within the range of a float64.
func (s *Search) rescale() {
	for v := range s.activity {
		s.activity[v] *= 1e-100
	}
	s.activityStep *= 1e-100
}
