// Package reason finds a step of a puzzle that follows from little, and the smallest reason for it.
//
//	q := reason.Question{Grounds: grounds, Wanted: missing, Size: variables, Post: post}
//	step, why := q.Answer()
//
// A ground is a condition of a rule, or something that is known. Steps that follow from one condition
// and what is known of its variables are looked for first, as people do; then those to which such
// conditions lead one after the other, from one variable to the next (rounds); then a step
// and the conditions from which it follows, of which none can be left out (Core). Whether something
// follows is asked of the engine: it is impossible otherwise. So every reason is one, whatever the
// search for it leaves untried. The same rounds tell how hard a puzzle is (Grade).
package reason
