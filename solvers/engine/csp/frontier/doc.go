// Package frontier counts the ways to draw disjoint paths in a graph, exactly and
// without listing them.
//
//	n, stats, err := frontier.Graph{
//		Nodes: 4,
//		Edges: [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}},
//		Pairs: [][2]int{{0, 3}},
//	}.Count(ctx, frontier.Limits{})
//
// # How it works
//
// The edges are decided one after the other, each both ways. The frontier is the nodes
// that have both decided and undecided edges. The only thing that matters about earlier
// decisions is what they left there: which frontier nodes are the two ends of one
// piece of path (each is the other's mate), which piece leads to an end of which pair,
// and which nodes are untouched or used up. Decisions that leave the same form one
// state. So edge by edge, the program keeps a table of states and
// the number of ways that lead to each, and forgets the previous table: it is the
// breadth-first construction of a decision diagram that is never kept as a whole
// (Knuth's Simpath, The Art of Computer Programming 4A, answer to exercise 7.1.4–225;
// with colours for pairs as in Kawahara, Inoue, Iwashita and Minato, Frontier-based
// Search for Enumerating All Constrained Subgraphs with Compressed Representation).
//
// The number of states depends on the frontier's width, and so on the order of
// the edges: on a board of cells, row after row along its shorter
// side (InOrder). It grows about threefold with each cell of width. Limits bounds it.
package frontier
