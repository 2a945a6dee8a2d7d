// Package sabr solves puzzles that are described in SABR, a small language for
// constraints over symbols, space and steps.
//
//	p, err := sabr.Parse("latin.tb", text)
//	if err != nil { … }        // a *sabr.Error: file, line, column, word
//	r, err := p.Solve(ctx, sabr.Options{})
//	if errors.Is(err, sabr.ErrUnsatisfiable) { … }
//	fmt.Print(r)               // the boards, and the steps between them
//
// # Language
//
// A program is a list of sections. White space is free, no-break spaces included;
// a comment goes from '#' to the end of the line, or from "#(" to ")#". Names are
// made of letters, digits, '-' and '_'. A ';' may follow any item of a list; on the
// board it ends a printed line. First come one or more Sym, then Board, then at most one
// Start and one End, then the rest in any order.
//
//	Sym {a b c}, Sym L {…}          a list of symbols; a symbol stands in one list only
//	Board { c1 c2:L ; . c3 }        the cells, each over a list; dots are printed, and no cells
//	Start {…}, End {…}              a rule for each cell, at the first and the last stage
//	Obj O { p q r }                 an object and its cells; optional; a name that stands twice is two cells
//	DesObj N:O { c1 c2 c3 }         an instance of O on cells of the board, which may repeat; N: is optional
//	Req (i:j) N:O { rules }         each instance of O fits, at stages i to j
//	Opt (i:j) N:O { rules }         each instance fits one of the Opts with this N and O
//	AllDif (i:j) { c1 c2 c3 }       the cells differ
//	Trans (i:j) N:O { rules => rules }     a step
//	TransSim (i:j) N:O { rules => rules }  a step that may happen together with others
//	TransLock                       the same as Trans
//
// (i:j) and N: are optional; (i) is one stage; stages count from 0. Without
// them a section holds at all stages, and Opts without a name are alternatives
// of each other. If only some Opts of a name apply to a stage, one of those
// has to fit; if none does, nothing is required. A step belongs to the stage it
// starts from. O may be Board in Req, Opt and the steps. Rules for an O without
// a DesObj have no effect.
//
// A rule list has one rule for each cell of the object. A rule is a symbol; '?',
// anything; '!s', anything but s; (a,b,!c), one of these; or the name of a
// variable, which is any other name. All cells with the variable v hold the same
// symbol; '!v' differs from it; v:(a,b) is v and one of these. Variables may
// also stand among alternatives. They belong to their rule list; in a step they
// span both sides. A list fits if there are values for its variables such that
// each rule does. A variable stands for symbols of one list: that of the cells it
// stands at.
//
// From one stage to the next one instance takes one Trans, or one or more
// TransSim are taken; there is always a step. The left side of each fits the board
// before and its right side the board after. Cells that belong to none of the
// instances taken stay as they are. A cell of an instance taken is bound by the
// rules alone: after '?' it may be anything.
//
// # Results
//
// The result has the fewest stages for which everything holds, up to
// Options.Stages, or with Options.Exactly that number; a program without steps has
// exactly one stage. It is printed with the symbols in place of the cells, a blank
// after each, and the dots unchanged. A blank line follows each board; between two
// boards are the steps, as TRANS INSTANCE without unnamed parts, and another
// blank line.
//
// # Model
//
// A cell at a stage is a choice among its symbols. The alternatives of Opts are
// spread out over the values of their variables, so that a symbol in none of
// those left is recognised as impossible; the other rules become clauses in which a
// variable is the cell where it first appears. Stages are added one by one to the
// same model, End being an assumption about the last, so that what was learned
// with few stages serves with more. The number of cells that hold a symbol is
// followed from Start through the steps and bounded at each stage.
//
// Programs whose steps are taken one at a time, and whose Start is one board or a few,
// are solved in a second way too: from board to board, out from Start and, if End is
// one board or a few and no section is about some stages only, back from End, until
// the two meet. Each board is looked at once, so that long plans over few boards take no
// longer than the boards; boards are kept in at most 64 MiB. The two ways take growing
// turns, and neither tries a number of stages that the other has refuted.
//
// The memory for the constraints is estimated before they are made, and
// bounded; a program that would take more is refused with a TooLargeError. The
// context is checked throughout.
//
// Check tests printed results against the program independently.
package sabr
