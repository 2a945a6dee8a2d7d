package solvers

// Misshapen is what a text's likeness to a notation is multiplied by when its
// cells are the notation's but its rows are not as many, or as long, as a board
// has.
const Misshapen = 0.9

// Share is how much of some parts fit, 0 to 1; of no parts it is 0.
func Share[T any](parts []T, fits func(T) bool) float64 {
	if len(parts) == 0 {
		return 0
	}
	n := 0
	for _, part := range parts {
		if fits(part) {
			n++
		}
	}
	return float64(n) / float64(len(parts))
}
