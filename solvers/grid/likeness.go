package grid

// Misshapen is the factor for a text's likeness to a notation when its cells are
// the notation's, but the number or the length of its rows is not a board's.
const Misshapen = 0.9

// Share returns the share of the parts that fit, 0 to 1; it is 0 when there are no
// parts.
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
