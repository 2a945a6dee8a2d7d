package reason

// Core returns, of n grounds from which something follows, some from which it still follows and
// none of which can be left out: their indices, in order. Those of small index are preferred. It
// asks follows about sets of indices, in order, which must be true of more whenever it is true of
// fewer, and of all n.
//
// It divides the grounds and looks for what is missing beside each half (Junker, QuickXplain:
// Preferred Explanations and Relaxations for Over-Constrained Problems, 2004): with k grounds
// found, it asks about 2k·log₂(n/k) + 2k times.
func Core(n int, follows func(kept []int) bool) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if follows(nil) {
		return nil
	}
	return core(nil, false, all, follows)
}

// core is the part of a core that some grounds add to those that are kept anyway, of which some
// are new if fresh is set.
func core(kept []int, fresh bool, grounds []int, follows func([]int) bool) []int {
	if fresh && follows(kept) {
		return nil
	}
	if len(grounds) == 1 {
		return grounds
	}
	preferred, others := grounds[:len(grounds)/2], grounds[len(grounds)/2:]
	second := core(merged(kept, preferred), true, others, follows)
	first := core(merged(kept, second), len(second) > 0, preferred, follows)
	return merged(first, second)
}

// merged are two ordered lists as one.
func merged(a, b []int) []int {
	all := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}
