package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds on what one command from outside may use.
const (
	maxCommand   = 64 << 10 // bytes of program text
	maxDepth     = 1000     // nested constructs
	maxProcesses = 64       // running at once: pipes, subshells, background
	maxText      = 1 << 20  // bytes of one expansion, and of all variables together
)

const shellPath = "/system/bin/sh"

// System is the phone that a shell runs on, as the shell knows it.
type System interface {
	SDK() int     // the version of Android, which decides the words of some errors
	Name() string // the phone's name in the prompt
	// Program finds a program of the phone's own, such as input; nil if there is none
	// of that name. It comes before the shell's programs, so that a phone can have
	// its own cat.
	Program(name string) Program
	// Adapt returns the shell's program as this phone has it; nil: it has none.
	Adapt(name string, program Program) Program
}

// Shell runs commands on a phone's files.
type Shell struct {
	system System
	files  *FileSystem
	ports  Ports
	log    *slog.Logger
	pids   atomic.Int32 // processes started so far
}

// firstPID is above the process ids that phones give to their apps in a run.
const firstPID = 20000

func (s *Shell) newPID() int { return firstPID + int(s.pids.Add(1)) }

// New makes the shell of a phone.
func New(system System, files *FileSystem, log *slog.Logger) *Shell {
	return &Shell{system: system, files: files, log: log}
}

// Files are the files that the shell works on.
func (s *Shell) Files() *FileSystem { return s.files }

// Dial connects to the program of the phone that listens on a TCP port.
func (s *Shell) Dial(port int) (net.Conn, error) { return s.ports.Dial(port) }

// Call is one call of the shell.
type Call struct {
	Command        string // empty to run the lines of Stdin
	Terminal       bool   // Stdin and Stdout are a terminal: lines can be edited, and Ctrl-C acts
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Run runs a command, or without one the lines of stdin, and returns the exit code.
// It returns when everything it started has ended; the end of ctx ends it.
func (s *Shell) Run(ctx context.Context, call Call) int {
	sh := &interpreter{
		host: s, ctx: ctx, session: ctx, stdin: call.Stdin, stdout: call.Stdout, stderr: call.Stderr, dir: "/",
		name: shellPath, vars: shellEnvironment(), exported: map[string]bool{},
		processes: &processes{free: make(chan struct{}, maxProcesses)}, jobs: new(sync.WaitGroup), pid: s.newPID(),
	}
	for name := range sh.vars {
		sh.exported[name] = name != "IFS"
	}
	defer sh.processes.closeKept()
	if call.Terminal {
		return sh.onTerminal(call.Command)
	}
	status := 0
	if call.Command != "" {
		status = sh.program(call.Command)
	} else {
		status = sh.interactive(nil)
	}
	sh.processes.wg.Wait()
	return status
}

// program finds a program by its name without folders.
func (s *Shell) program(name string) Program {
	if program := s.system.Program(name); program != nil {
		return program
	}
	if program := programs[name]; program != nil {
		return s.system.Adapt(name, program)
	}
	return nil
}

// shellEnvironment holds the variables that a shell starts with.
func shellEnvironment() map[string]string {
	return map[string]string{
		"PATH": "/system/bin:/system/xbin:/vendor/bin", "HOME": "/", "USER": "shell", "SHELL": shellPath,
		"ANDROID_ROOT": "/system", "ANDROID_DATA": "/data", "EXTERNAL_STORAGE": "/sdcard", "TMPDIR": "/data/local/tmp",
		"PWD": "/", "IFS": " \t\n",
	}
}

// interpreter runs programs the way the phone's mksh does. The parser and the expansion
// of words are mvdan.cc/sh's; programs run here and not in that package's interpreter, so
// that nothing reaches the host, everything has a bound, and tests in a bubble of
// testing/synctest can wait for pipes.
type interpreter struct {
	host *Shell
	ctx  context.Context // of the foreground
	// session ends with the shell, and with it everything in the background. It is
	// ctx where there is no terminal.
	session context.Context

	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string // as given to cd: links in it are not followed
	name           string // $0
	params         []string
	vars           map[string]string
	exported       map[string]bool // the variables that programs see
	status         int             // of the last command, $?
	substituted    bool            // $(…) set it
	depth          int

	pid       int  // $$
	replaced  bool // exec runs a program in the shell's place, which keeps its pid
	exited    bool // exit was called, or the output is gone
	loops     int  // number of loops around the current command
	leaving   int  // number of loops to leave
	continues bool // the last of them continues with its next round

	processes *processes
	jobs      *sync.WaitGroup // the shell's background commands
}

// processes is the bound that a shell and its subshells share.
type processes struct {
	free chan struct{} // one element for each running process
	wg   sync.WaitGroup

	mu   sync.Mutex
	kept []io.Closer // files that exec opened for a shell itself
}

// keep closes a file only when the whole shell has ended.
func (p *processes) keep(file io.Closer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, file)
}

func (p *processes) closeKept() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, file := range p.kept {
		// What a device says at its end has no reader.
		_ = file.Close()
	}
	p.kept = nil
}

// errFork is the answer when too many processes run at once.
var errFork = errors.New("can't fork - try again")

// start runs f as a process of its own. A fault in it ends that process only.
func (sh *interpreter) start(f func()) error {
	select {
	case sh.processes.free <- struct{}{}:
	default:
		return errFork
	}
	sh.processes.wg.Add(1)
	go func() {
		defer sh.processes.wg.Done()
		defer func() { <-sh.processes.free }()
		defer func() {
			if r := recover(); r != nil {
				sh.host.log.Error("shell process died", "panic", r)
			}
		}()
		f()
	}()
	return nil
}

// fork makes a subshell: it sees everything and changes nothing of its parent.
func (sh *interpreter) fork() *interpreter {
	child := *sh
	child.vars, child.exported = maps.Clone(sh.vars), maps.Clone(sh.exported)
	child.loops, child.leaving = 0, 0
	child.jobs = new(sync.WaitGroup)
	return &child
}

func (sh *interpreter) program(text string) int {
	file, err := sh.parse(text)
	if err != nil {
		sh.errorf("syntax error: %v", err)
		return 1
	}
	sh.stmts(file.Stmts)
	return sh.status
}

func (sh *interpreter) parse(text string) (*syntax.File, error) {
	if len(text) > maxCommand {
		return nil, fmt.Errorf("command of %d bytes, expected at most %d", len(text), maxCommand)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errors.New("unexpected NUL")
	}
	return syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn)).Parse(strings.NewReader(text), "")
}

// errorf prints an error of the shell itself. One that was killed says nothing.
func (sh *interpreter) errorf(format string, args ...any) {
	if sh.ctx.Err() != nil {
		return
	}
	fmt.Fprintf(sh.stderr, "%s: %s\n", shellPath, fmt.Sprintf(format, args...))
}

// fail prints an error and sets the status.
func (sh *interpreter) fail(status int, format string, args ...any) {
	sh.errorf(format, args...)
	sh.status = status
}

// stopped reports whether the current list of commands must end.
func (sh *interpreter) stopped() bool {
	if sh.ctx.Err() != nil {
		sh.exited = true
		sh.status = 130
	}
	return sh.exited || sh.leaving > 0
}

func (sh *interpreter) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		if sh.stopped() {
			return
		}
		sh.stmt(st)
	}
}

func (sh *interpreter) stmt(st *syntax.Stmt) {
	if sh.depth >= maxDepth {
		sh.fail(1, "too deeply nested")
		sh.exited = true
		return
	}
	sh.depth++
	defer func() { sh.depth-- }()
	if st.Coprocess {
		sh.fail(1, "coprocesses are not supported")
		return
	}
	if st.Background {
		child := sh.fork()
		child.stdin, child.ctx = strings.NewReader(""), sh.session
		foreground := *st
		foreground.Background = false
		sh.status = 0
		sh.jobs.Add(1)
		err := sh.start(func() {
			defer sh.jobs.Done()
			child.stmt(&foreground)
		})
		if err != nil {
			sh.jobs.Done()
			sh.fail(1, "%v", err)
		}
		return
	}
	stdin, stdout, stderr := sh.stdin, sh.stdout, sh.stderr
	lone := isLoneExec(st.Cmd)
	if !lone { // its redirections stay
		defer func() { sh.stdin, sh.stdout, sh.stderr = stdin, stdout, stderr }()
	}
	for _, redirect := range st.Redirs {
		closer, err := sh.redirect(redirect)
		if err != nil {
			sh.fail(1, "%v", err)
			return
		}
		switch {
		case closer == nil:
		case lone:
			sh.processes.keep(closer)
		default:
			defer closer.Close()
		}
	}
	if st.Cmd == nil {
		sh.status = 0
	} else {
		sh.command(st.Cmd)
	}
	if st.Negated && !sh.exited {
		if sh.status == 0 {
			sh.status = 1
		} else {
			sh.status = 0
		}
	}
}

func (sh *interpreter) command(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		sh.call(c)
	case *syntax.Block:
		sh.stmts(c.Stmts)
	case *syntax.Subshell:
		child := sh.fork()
		child.stmts(c.Stmts)
		sh.status = child.status
	case *syntax.BinaryCmd:
		sh.binary(c)
	case *syntax.IfClause:
		sh.ifClause(c)
	case *syntax.WhileClause:
		sh.loop(func() bool {
			sh.stmts(c.Cond)
			return (sh.status == 0) != c.Until
		}, c.Do)
	case *syntax.ForClause:
		sh.forClause(c)
	case *syntax.CaseClause:
		sh.caseClause(c)
	case *syntax.ArithmCmd:
		value, err := sh.arithmetic(c.X)
		switch {
		case err != nil:
			sh.fail(2, "%v", err)
		case value == 0:
			sh.status = 1
		default:
			sh.status = 0
		}
	case *syntax.DeclClause:
		sh.declare(c)
	default:
		sh.fail(2, "%s is not supported", strings.TrimPrefix(fmt.Sprintf("%T", c), "*syntax."))
	}
}

func (sh *interpreter) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		sh.stmt(c.X)
		if !sh.stopped() && (sh.status == 0) == (c.Op == syntax.AndStmt) {
			sh.stmt(c.Y)
		}
	case syntax.Pipe:
		reader, writer := io.Pipe()
		left, right := sh.fork(), sh.fork()
		left.stdout, right.stdin = writer, reader
		done := make(chan struct{})
		err := sh.start(func() {
			defer close(done)
			defer writer.Close()
			left.stmt(c.X)
		})
		if err != nil {
			sh.fail(1, "%v", err)
			return
		}
		right.stmt(c.Y)
		reader.Close() // later writes to it fail
		<-done
		sh.status = right.status
	default:
		sh.fail(2, "%s is not supported", c.Op)
	}
}

func (sh *interpreter) ifClause(c *syntax.IfClause) {
	for ; c != nil; c = c.Else {
		if len(c.Cond) > 0 { // the last else has no condition
			sh.stmts(c.Cond)
			if sh.stopped() {
				return
			}
			if sh.status != 0 {
				continue
			}
		}
		sh.status = 0
		sh.stmts(c.Then)
		return
	}
	sh.status = 0
}

// loop runs body as long as next returns true, and handles break and continue.
func (sh *interpreter) loop(next func() bool, body []*syntax.Stmt) {
	sh.loops++
	defer func() { sh.loops-- }()
	status := 0
	for !sh.stopped() && next() && !sh.stopped() {
		sh.stmts(body)
		status = sh.status
		if sh.leaving > 0 {
			sh.leaving--
			if sh.leaving > 0 || !sh.continues {
				break
			}
		}
	}
	if !sh.exited {
		sh.status = status
	}
}

func (sh *interpreter) forClause(c *syntax.ForClause) {
	words, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select {
		sh.fail(2, "this form of for is not supported")
		return
	}
	items, err := sh.fields(words.Items)
	if err != nil {
		sh.fail(1, "%v", err)
		return
	}
	sh.loop(func() bool {
		if len(items) == 0 {
			return false
		}
		if err := sh.set(words.Name.Value, items[0]); err != nil {
			sh.fail(1, "%v", err)
			return false
		}
		items = items[1:]
		return true
	}, c.Do)
}

func (sh *interpreter) caseClause(c *syntax.CaseClause) {
	word, err := sh.text(c.Word)
	if err != nil {
		sh.fail(1, "%v", err)
		return
	}
	sh.status = 0
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			pattern, err := sh.pattern(w)
			if err != nil {
				sh.fail(1, "%v", err)
				return
			}
			if matchPattern(pattern, word) {
				sh.stmts(item.Stmts)
				return
			}
		}
	}
}

func (sh *interpreter) declare(c *syntax.DeclClause) {
	switch c.Variant.Value {
	case "export", "local", "typeset", "readonly":
	default:
		sh.fail(2, "%s is not supported", c.Variant.Value)
		return
	}
	sh.status = 0
	for _, assign := range c.Args {
		if !assign.Naked && !sh.assign(assign) {
			return
		}
		if assign.Name != nil && c.Variant.Value == "export" {
			sh.exported[assign.Name.Value] = true
		}
	}
}

func (sh *interpreter) assign(a *syntax.Assign) bool {
	if a.Name == nil || a.Index != nil || a.Array != nil {
		sh.fail(2, "arrays are not supported")
		return false
	}
	value := ""
	if a.Value != nil {
		var err error
		if value, err = sh.text(a.Value); err != nil {
			sh.fail(1, "%v", err)
			return false
		}
	}
	if a.Append {
		value = sh.vars[a.Name.Value] + value
	}
	if err := sh.set(a.Name.Value, value); err != nil {
		sh.fail(1, "%v", err)
		return false
	}
	return true
}

// set changes a variable, within the bound on all of them.
func (sh *interpreter) set(name, value string) error {
	total := len(name) + len(value)
	for n, v := range sh.vars {
		if n != name {
			total += len(n) + len(v)
		}
	}
	if total > maxText {
		return errors.New("out of memory")
	}
	sh.vars[name] = value
	return nil
}

// call runs a simple command.
func (sh *interpreter) call(c *syntax.CallExpr) {
	before := sh.status
	sh.substituted = false
	args, err := sh.fields(c.Args)
	if err != nil {
		sh.fail(1, "%v", err)
		return
	}
	if len(args) == 0 {
		for _, a := range c.Assigns {
			if !sh.assign(a) {
				return
			}
		}
		if !sh.substituted {
			sh.status = 0
		}
		return
	}
	if len(c.Assigns) > 0 { // the assignments hold for this command only
		saved, exported := maps.Clone(sh.vars), maps.Clone(sh.exported)
		defer func() { sh.vars, sh.exported = saved, exported }()
		for _, a := range c.Assigns {
			if !sh.assign(a) {
				return
			}
			sh.exported[a.Name.Value] = true
		}
	}
	sh.status = before // for exit without a number
	sh.run(args)
}

// run runs a builtin, or a program.
func (sh *interpreter) run(args []string) {
	if builtin := sh.builtin(args[0]); builtin != nil {
		sh.status = builtin(args)
		return
	}
	name := programName(args[0])
	if name == "sh" {
		sh.status = sh.script(args)
		return
	}
	command := sh.host.program(name)
	if command == nil {
		sh.notFound(args[0])
		return
	}
	out := &pipeWriter{w: sh.stdout}
	sh.status = command(&Process{
		Ctx: sh.ctx, PID: sh.nextPID(), Args: args, Dir: sh.dir, Stdin: sh.stdin, Stdout: out, Stderr: sh.stderr,
		Files: sh.host.files, Ports: &sh.host.ports,
	})
	if out.broken.Load() { // killed by SIGPIPE, and a loop around it must end too
		sh.status = 141
		sh.exited = true
	}
	if sh.ctx.Err() != nil {
		sh.exited = true
	}
}

// pipeWriter notes that its reader is gone, or takes nothing more.
type pipeWriter struct {
	w      io.Writer
	broken atomic.Bool // a program may write longer than the shell waits for it
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if errors.Is(err, io.ErrClosedPipe) || errors.Is(err, errTooLong) {
		w.broken.Store(true)
	}
	return n, err
}

// redirect changes stdin, stdout or stderr, and returns the file it opened for the
// caller to close.
func (sh *interpreter) redirect(r *syntax.Redirect) (io.Closer, error) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	if r.Hdoc != nil || r.Op == syntax.WordHdoc {
		text, err := "", error(nil)
		if r.Hdoc != nil {
			text, err = sh.document(r.Hdoc)
		} else if text, err = sh.text(r.Word); err == nil {
			text += "\n"
		}
		sh.stdin = strings.NewReader(text)
		return nil, err
	}
	target, err := sh.text(r.Word)
	if err != nil {
		return nil, err
	}
	output := &sh.stdout
	switch fd {
	case "", "0", "1":
	case "2":
		output = &sh.stderr
	default:
		return nil, fmt.Errorf("%s: bad file descriptor", fd)
	}
	switch r.Op {
	case syntax.DplOut:
		switch target {
		case "1":
			*output = sh.stdout
		case "2":
			*output = sh.stderr
		case "-":
			*output = io.Discard
		default:
			return nil, fmt.Errorf("%s: bad file descriptor", target)
		}
		return nil, nil
	case syntax.RdrIn:
		if fd != "" && fd != "0" {
			return nil, fmt.Errorf("%s: bad file descriptor", fd)
		}
		clean, err := sh.host.files.Resolve(sh.dir, target)
		var file io.ReadCloser
		if err == nil {
			file, err = sh.host.files.Open(sh.ctx, clean)
		}
		if err != nil {
			return nil, fmt.Errorf("can't open %s: %w", target, err)
		}
		sh.stdin = file
		return file, nil
	case syntax.RdrOut, syntax.RdrClob, syntax.AppOut, syntax.RdrAll, syntax.AppAll:
		clean, err := sh.host.files.ResolveFile(sh.dir, target)
		if err != nil {
			return nil, fmt.Errorf("can't create %s: %w", target, err)
		}
		file, err := sh.host.files.Create(sh.ctx, clean, r.Op == syntax.AppOut || r.Op == syntax.AppAll)
		if err != nil {
			return nil, fmt.Errorf("can't create %s: %w", target, err)
		}
		*output = file
		if r.Op == syntax.RdrAll || r.Op == syntax.AppAll {
			sh.stdout, sh.stderr = file, file
		}
		return file, nil
	}
	return nil, fmt.Errorf("redirection %s is not supported", r.Op)
}

func (sh *interpreter) readFile(name string) ([]byte, error) {
	clean, err := sh.host.files.Resolve(sh.dir, name)
	if err != nil {
		return nil, err
	}
	return sh.host.files.Read(clean)
}

// builtin finds the commands that are part of the shell.
func (sh *interpreter) builtin(name string) func(args []string) int {
	switch name {
	case "exit":
		return sh.exit
	case "break", "continue":
		return sh.leave
	case "cd":
		return sh.cd
	case "unset":
		return sh.unset
	case "wait":
		return func([]string) int { sh.jobs.Wait(); return 0 }
	case "exec":
		return sh.exec
	case "read":
		return sh.read
	case "command", "which":
		return sh.lookUp
	}
	return nil
}

// programName is the name of a program without the folders that programs are in.
func programName(name string) string {
	for _, dir := range []string{"/system/bin/", "/vendor/bin/", "/system/xbin/", "/bin/"} {
		if cut, ok := strings.CutPrefix(name, dir); ok {
			return cut
		}
	}
	return name
}

func (sh *interpreter) exit(args []string) int {
	status := sh.status
	if len(args) > 1 {
		number, err := strconv.Atoi(args[1])
		if err != nil {
			sh.errorf("exit: %s: bad number", args[1])
			number = 1
		}
		status = number & 0xff
	}
	sh.exited = true
	return status
}

func (sh *interpreter) leave(args []string) int {
	count := 1
	if len(args) > 1 {
		count, _ = strconv.Atoi(args[1])
	}
	if count < 1 {
		sh.errorf("%s: %s: bad number", args[0], args[1])
		return 1
	}
	sh.leaving = min(count, sh.loops)
	sh.continues = args[0] == "continue"
	return 0
}

func (sh *interpreter) cd(args []string) int {
	target := "/"
	if len(args) > 1 {
		target = args[1]
	}
	if !path.IsAbs(target) {
		target = sh.dir + "/" + target
	}
	target = path.Clean(target)
	clean, err := sh.host.files.Resolve("/", target)
	if err == nil {
		_, err = sh.host.files.List(clean)
	}
	if err != nil {
		sh.errorf("cd: %s: %v", target, err)
		return 2
	}
	sh.dir = target
	sh.vars["PWD"] = target
	return 0
}

func (sh *interpreter) unset(args []string) int {
	for _, name := range args[1:] {
		delete(sh.vars, name)
		delete(sh.exported, name)
	}
	return 0
}

// read takes one line of stdin, byte by byte so that the rest stays unread.
func (sh *interpreter) read(args []string) int {
	var line []byte
	var b [1]byte
	for {
		n, err := sh.stdin.Read(b[:])
		if n == 1 && b[0] == '\n' {
			break
		}
		if n == 1 && len(line) < maxText {
			line = append(line, b[0])
		}
		if err != nil {
			if len(line) == 0 {
				return 1
			}
			break
		}
	}
	names := args[1:]
	for len(names) > 0 && strings.HasPrefix(names[0], "-") {
		names = names[1:]
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	rest := strings.Trim(string(line), " \t")
	for i, name := range names {
		word := rest
		if i < len(names)-1 {
			word, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " \t")
		}
		if !syntax.ValidName(name) {
			sh.errorf("read: %s: is not an identifier", name)
			return 1
		}
		if err := sh.set(name, word); err != nil {
			sh.errorf("read: %v", err)
			return 1
		}
	}
	return 0
}

// lookUp prints where a command is: which NAME, command -v NAME.
func (sh *interpreter) lookUp(args []string) int {
	names := args[1:]
	if args[0] == "command" {
		if len(names) == 0 || names[0] != "-v" {
			sh.errorf("command: only -v is supported")
			return 2
		}
		names = names[1:]
	}
	status := 0
	for _, name := range names {
		switch {
		case sh.builtin(name) != nil && args[0] == "command":
			fmt.Fprintln(sh.stdout, name)
		case sh.isProgram(name):
			fmt.Fprintf(sh.stdout, "/system/bin/%s\n", programName(name))
		default:
			status = 1
		}
	}
	return status
}
