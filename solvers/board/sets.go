package board

// Sets are disjoint sets of the numbers from 0.
type Sets []int

// NewSets puts each of n numbers in a set of its own.
func NewSets(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Find returns the number that stands for a's set.
func (s Sets) Find(a int) int {
	for s[a] != a {
		s[a] = s[s[a]]
		a = s[a]
	}
	return a
}

// Join joins two sets and reports whether they were different.
func (s Sets) Join(a, b int) bool {
	a, b = s.Find(a), s.Find(b)
	s[a] = b
	return a != b
}
