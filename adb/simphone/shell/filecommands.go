package shell

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// look describes a file; with follow, the target of a link.
func (p *Process) look(name string, follow bool) (clean string, entry Entry, err error) {
	resolve := p.Files.ResolveLink
	if follow {
		resolve = p.Files.Resolve
	}
	if clean, err = resolve(p.Dir, name); err == nil {
		entry, err = p.Files.Stat(clean)
	}
	return clean, entry, err
}

const blockSize = 4096 // bytes; files take whole blocks

func blocks(entry Entry) int64 { // of 512 bytes, as stat and ls count
	return (entry.Size + blockSize - 1) / blockSize * (blockSize / 512)
}

func runLs(p *Process) int {
	flags, _, names, err := p.options("1aAcCdFghHikLlmnpqrRsStuUxZ", "")
	if err != nil {
		return p.Fail("%v", err)
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	status := 0
	var files, folders []Entry
	for _, name := range names {
		// A named link is followed, unless the link itself is asked for.
		_, entry, err := p.look(name, !flags['l'] && !flags['d'] && !flags['F'] || flags['L'] || flags['H'])
		if err != nil {
			status = p.Fail("%s: %v", name, err)
			continue
		}
		entry.Name = name
		if entry.Directory() && !flags['d'] {
			folders = append(folders, entry)
		} else {
			files = append(files, entry)
		}
	}
	if p.listEntries(files, flags) != 0 {
		return 1
	}
	titled := len(files)+len(folders) > 1 || flags['R']
	for i := 0; i < len(folders) && p.Ctx.Err() == nil; i++ {
		name := folders[i].Name
		entries, err := p.folder(name, flags)
		if err != nil {
			status = p.Fail("%s: %v", name, err)
			continue
		}
		title := ""
		if titled {
			title = name + ":\n"
			if i > 0 || len(files) > 0 {
				title = "\n" + title
			}
		}
		if flags['l'] {
			total := int64(0)
			for _, entry := range entries {
				total += blocks(entry) / 2 // in KiB
			}
			title += fmt.Sprintf("total %d\n", total)
		}
		if p.Print(title) != 0 || p.listEntries(entries, flags) != 0 {
			return 1
		}
		if flags['R'] {
			folders = append(folders, foldersIn(name, entries)...)
		}
	}
	return status
}

// folder is the list that ls prints for a folder.
func (p *Process) folder(name string, flags map[byte]bool) ([]Entry, error) {
	clean, _, err := p.look(name, true)
	if err != nil {
		return nil, err
	}
	entries, err := p.Files.List(clean)
	if err != nil {
		return nil, err
	}
	switch {
	case flags['a']:
		for _, special := range []string{"..", "."} {
			if dir, err := p.Files.Stat(path.Join(clean, special)); err == nil {
				dir.Name = special
				entries = append([]Entry{dir}, entries...)
			}
		}
	case !flags['A']:
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return strings.HasPrefix(e.Name, ".") })
	}
	return entries, nil
}

// foldersIn are the folders among the entries of one, with their paths.
func foldersIn(name string, entries []Entry) []Entry {
	var folders []Entry
	for _, entry := range entries {
		if entry.Directory() && entry.Name != "." && entry.Name != ".." {
			entry.Name = path.Join(name, entry.Name)
			folders = append(folders, entry)
		}
	}
	return folders
}

// listEntries prints entries as ls does.
func (p *Process) listEntries(entries []Entry, flags map[byte]bool) int {
	switch {
	case flags['t']:
		slices.SortStableFunc(entries, func(a, b Entry) int { return b.Changed.Compare(a.Changed) })
	case flags['S']:
		slices.SortStableFunc(entries, func(a, b Entry) int { return int(min(max(b.Size-a.Size, -1), 1)) })
	}
	if flags['r'] {
		slices.Reverse(entries)
	}
	width := 1
	for _, entry := range entries {
		width = max(width, len(strconv.FormatInt(entry.Size, 10)))
	}
	var out strings.Builder
	for _, entry := range entries {
		if flags['s'] {
			fmt.Fprintf(&out, "%d ", blocks(entry)/2)
		}
		if flags['l'] {
			owner, size := "shell shell", fmt.Sprintf("%*d", width, entry.Size)
			if flags['n'] {
				owner = "2000 2000"
			}
			if d := entry.Device; d != nil {
				owner, size = d.Owner+" "+d.Group, fmt.Sprintf("%3d, %3d", d.Major, d.Minor)
			}
			fmt.Fprintf(&out, "%s 1 %s %s %s ", permissions(entry), owner, size, entry.Changed.UTC().Format("2006-01-02 15:04"))
		}
		out.WriteString(entry.Name)
		switch {
		case entry.Link() && flags['l']:
			out.WriteString(" -> " + entry.Target)
		case entry.Directory() && (flags['p'] || flags['F']):
			out.WriteString("/")
		case entry.Link() && flags['F']:
			out.WriteString("@")
		}
		out.WriteByte('\n')
	}
	return p.Print(out.String())
}

// permissions writes a mode as ls -l does.
func permissions(entry Entry) string {
	out := []byte("-rwxrwxrwx")
	switch entry.Mode & modeTypes {
	case modeDirectory:
		out[0] = 'd'
	case modeLink:
		out[0] = 'l'
	case modeCharacter:
		out[0] = 'c'
	}
	for i := 1; i < len(out); i++ {
		if entry.Mode&(1<<(9-i)) == 0 {
			out[i] = '-'
		}
	}
	return string(out)
}

func runTouch(p *Process) int {
	flags, values, names, err := p.options("acmh", "dtr")
	if err != nil {
		return p.Fail("%v", err)
	}
	at := p.Files.clock()
	for letter, format := range map[byte]string{'d': "2006-01-02T15:04:05", 't': "200601021504.05"} {
		if len(values[letter]) == 0 {
			continue
		}
		text := values[letter][0]
		if letter == 't' && !strings.Contains(text, ".") {
			format = "200601021504"
		}
		text = strings.TrimSuffix(strings.Replace(text, " ", "T", 1), "Z")
		if at, err = time.Parse(format, text); err != nil {
			return p.Fail("bad '%s'", values[letter][0])
		}
	}
	if len(values['r']) > 0 {
		_, entry, err := p.look(values['r'][0], true)
		if err != nil {
			return p.Fail("'%s': %v", values['r'][0], err)
		}
		at = entry.Changed
	}
	if len(names) == 0 {
		return p.Fail("Needs 1 argument (see \"touch --help\")")
	}
	status := 0
	for _, name := range names {
		clean, err := p.Files.ResolveFile(p.Dir, name)
		if err == nil {
			err = p.Files.setChanged(clean, at)
		}
		if err == errNotExist && flags['c'] {
			continue
		}
		if err == errNotExist {
			if _, err = p.Files.Create(p.Ctx, clean, true); err == nil {
				err = p.Files.setChanged(clean, at)
			}
		}
		if err != nil {
			status = p.Fail("'%s': %v", name, err)
		}
	}
	return status
}

// runChmod knows modes in octal and in letters, such as u+x,go-w.
func runChmod(p *Process) int {
	// Its first argument may begin with a minus, as in -w.
	args := slices.Clone(p.Args[1:])
	recursive := false
	for len(args) > 0 && (args[0] == "-R" || args[0] == "-f" || args[0] == "-v") {
		recursive = recursive || args[0] == "-R"
		args = args[1:]
	}
	if len(args) < 2 {
		return p.Fail("Needs 2 arguments (see \"chmod --help\")")
	}
	status := 0
	var change func(name string)
	change = func(name string) {
		clean, entry, err := p.look(name, true)
		var mode uint32
		if err == nil {
			mode, err = changedMode(entry.Mode, args[0])
		}
		if err == nil {
			err = p.Files.setMode(clean, mode)
		}
		if err != nil {
			status = p.Fail("'%s' to '%s': %v", name, args[0], err)
			return
		}
		if recursive && entry.Directory() {
			entries, _ := p.Files.List(clean)
			for _, entry := range entries {
				change(path.Join(name, entry.Name))
			}
		}
	}
	for _, name := range args[1:] {
		change(name)
	}
	return status
}

// changedMode returns the mode after a chmod.
func changedMode(mode uint32, text string) (uint32, error) {
	if number, err := strconv.ParseUint(text, 8, 12); err == nil {
		return uint32(number), nil
	}
	for _, clause := range strings.Split(text, ",") {
		i := strings.IndexAny(clause, "+-=")
		if i < 0 {
			return 0, errInvalid
		}
		who, what := uint32(0), uint32(0)
		for _, c := range clause[:i] {
			mask, ok := map[rune]uint32{'u': 0o700, 'g': 0o070, 'o': 0o007, 'a': 0o777}[c]
			if !ok {
				return 0, errInvalid
			}
			who |= mask
		}
		if i == 0 {
			who = 0o777
		}
		for _, c := range clause[i+1:] {
			mask, ok := map[rune]uint32{'r': 0o444, 'w': 0o222, 'x': 0o111, 'X': 0o111, 's': 0, 't': 0}[c]
			if !ok {
				return 0, errInvalid
			}
			what |= mask
		}
		switch clause[i] {
		case '+':
			mode |= who & what
		case '-':
			mode &^= who & what
		case '=':
			mode = mode&^who | who&what
		}
	}
	return mode, nil
}

// destination treats the last of several names as the place that the others go to:
// a folder, in which each keeps its own last element, or for a single one its new
// name. It is not ok when several are to go to something that is not a folder.
func (p *Process) destination(names []string, follow bool) (rest []string, into func(name string) string, ok bool) {
	last, rest := names[len(names)-1], names[:len(names)-1]
	_, entry, err := p.look(last, follow)
	if err != nil || !entry.Directory() {
		return rest, func(string) string { return last }, len(rest) == 1
	}
	return rest, func(name string) string { return path.Join(last, path.Base(name)) }, true
}

func runLn(p *Process) int {
	flags, _, names, err := p.options("sfnvrT", "t")
	if err != nil {
		return p.Fail("%v", err)
	}
	if !flags['s'] {
		return p.Fail("only -s is supported: there are no hard links")
	}
	if len(names) == 0 {
		return p.Fail("Needs 1 argument (see \"ln --help\")")
	}
	if len(names) == 1 {
		names = append(names, path.Base(names[0]))
	}
	names, into, ok := p.destination(names, !flags['n'])
	if !ok {
		return p.Fail("'%s' not a directory", into(""))
	}
	status := 0
	for _, target := range names {
		link := into(target)
		clean, err := p.Files.ResolveLink(p.Dir, link)
		if err == nil {
			err = p.Files.makeLink(target, clean, flags['f'])
		}
		if err != nil {
			status = p.Fail("cannot create symbolic link from '%s' to '%s': %v", target, link, err)
		}
	}
	return status
}

func runMv(p *Process) int {
	_, _, names, err := p.options("finvT", "")
	if err != nil {
		return p.Fail("%v", err)
	}
	if len(names) < 2 {
		return p.Fail("Needs 2 arguments (see \"mv --help\")")
	}
	names, into, ok := p.destination(names, true)
	if !ok {
		return p.Fail("'%s' not directory", into(""))
	}
	status := 0
	for _, name := range names {
		from, err := p.Files.ResolveLink(p.Dir, name)
		var to string
		if err == nil {
			to, err = p.Files.ResolveLink(p.Dir, into(name))
		}
		if err == nil {
			err = p.Files.move(from, to)
		}
		if err != nil {
			status = p.Fail("bad '%s': %v", name, err)
		}
	}
	return status
}

func runReadlink(p *Process) int {
	flags, _, names, err := p.options("efmnqz", "")
	if err != nil {
		return p.Fail("%v", err)
	}
	if len(names) == 0 {
		return p.Fail("Needs 1 argument (see \"readlink --help\")")
	}
	status := 0
	for _, name := range names {
		text := ""
		if flags['e'] || flags['f'] || flags['m'] {
			clean, err := p.Files.Resolve(p.Dir, name)
			if err == nil && flags['e'] {
				_, err = p.Files.Stat(clean)
			}
			if err == nil {
				text = clean
			}
		} else if _, entry, err := p.look(name, false); err == nil {
			text = entry.Target
		}
		if text == "" {
			status = 1
			continue
		}
		if !flags['n'] {
			text += "\n"
		}
		if p.Print(text) != 0 {
			return 1
		}
	}
	return status
}

func runRealpath(p *Process) int {
	status := 0
	for _, name := range p.Args[1:] {
		clean, _, err := p.look(name, true)
		if err != nil {
			status = p.Fail("%s: %v", name, err)
			continue
		}
		p.Print(clean + "\n")
	}
	return status
}

// The default formats of stat.
const (
	statFile = "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %B\t%F\nDevice: %Dh/%dd\t Inode: %i\t Links: %h\n" +
		"Access: (%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %x\nModify: %y\nChange: %z"
	statSystem = "  File: \"%n\"\n    ID: %i Namelen: %l    Type: %T\nBlock Size: %s    Fundamental block size: %S\n" +
		"Blocks: Total: %b\tFree: %f\tAvailable: %a\nInodes: Total: %c\tFree: %d"
)

func runStat(p *Process) int {
	flags, values, names, err := p.options("Lft", "c")
	if err != nil {
		return p.Fail("%v", err)
	}
	if len(names) == 0 {
		return p.Fail("Needs 1 argument (see \"stat --help\")")
	}
	format := statFile
	if flags['f'] {
		format = statSystem
	}
	if len(values['c']) > 0 {
		format = values['c'][0]
	}
	status := 0
	for _, name := range names {
		clean, entry, err := p.look(name, flags['L'])
		if err != nil {
			status = p.Fail("'%s': %v", name, err)
			continue
		}
		var out strings.Builder
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i == len(format)-1 {
				out.WriteByte(format[i])
				continue
			}
			i++
			if flags['f'] {
				out.WriteString(p.statSystemField(format[i], name))
			} else {
				out.WriteString(statField(format[i], name, clean, entry))
			}
			if out.Len() > maxText {
				return p.Fail("output too long")
			}
		}
		if p.Print(out.String()+"\n") != 0 {
			return 1
		}
	}
	return status
}

// statField is the text that stat prints for one format letter, on a file.
func statField(letter byte, name, clean string, entry Entry) string {
	const device, userID, user = 0xfe03, 2000, "shell"
	full := func() string { return entry.Changed.UTC().Format("2006-01-02 15:04:05.000000000 -0700") }
	switch letter {
	case 'n':
		return name
	case 'N':
		if entry.Link() {
			return "`" + name + "' -> `" + entry.Target + "'"
		}
		return "`" + name + "'"
	case 's':
		return strconv.FormatInt(entry.Size, 10)
	case 'a':
		return fmt.Sprintf("%04o", entry.Mode&0o7777)
	case 'A':
		return permissions(entry)
	case 'f':
		return fmt.Sprintf("%x", entry.Mode)
	case 'F':
		return kindOf(entry)
	case 'u', 'g':
		return strconv.Itoa(userID)
	case 'U', 'G':
		return user
	case 'b':
		return strconv.FormatInt(blocks(entry), 10)
	case 'B':
		return "512"
	case 'o':
		return strconv.Itoa(blockSize)
	case 'h':
		return "1"
	case 'i':
		return strconv.Itoa(inode(clean))
	case 'd':
		return strconv.Itoa(device)
	case 'D':
		return strconv.FormatInt(device, 16)
	case 't', 'T':
		return "0"
	case 'x', 'y', 'z':
		return full()
	case 'X', 'Y', 'Z':
		return strconv.FormatInt(entry.Changed.Unix(), 10)
	case 'm':
		return "/"
	case 'C':
		return "u:object_r:media_rw_data_file:s0"
	case '%':
		return "%"
	}
	return "%" + string(letter)
}

// kindOf is stat's name for the kind of a file.
func kindOf(entry Entry) string {
	switch {
	case entry.Directory():
		return "directory"
	case entry.Link():
		return "symbolic link"
	case entry.Mode&modeTypes == modeCharacter:
		return "character device"
	case entry.Size == 0:
		return "regular empty file"
	}
	return "regular file"
}

// inode derives a number for a file from its path.
func inode(clean string) int {
	sum := 2
	for _, c := range []byte(clean) {
		sum = (sum*31 + int(c)) & 0xffffff
	}
	return sum
}

// statSystemField is the text that stat -f prints for one format letter, on the
// file system.
func (p *Process) statSystemField(letter byte, name string) string {
	used, limit, files := p.Files.Usage()
	free := (limit - used) / blockSize
	switch letter {
	case 'n':
		return name
	case 'i':
		return "fe0300000000"
	case 'l':
		return "255"
	case 'T', 't':
		return "ext4"
	case 's', 'S':
		return strconv.Itoa(blockSize)
	case 'b':
		return strconv.FormatInt(limit/blockSize, 10)
	case 'f', 'a':
		return strconv.FormatInt(free, 10)
	case 'c':
		return strconv.Itoa(maxFiles)
	case 'd':
		return strconv.Itoa(maxFiles - files)
	}
	return "%" + string(letter)
}

// finder is a find in progress.
type finder struct {
	*Process
	words       []string // of the expression, not yet read
	nested      int      // brackets around them
	test        findTest
	acts        bool         // the expression has an action of its own
	batches     []*findBatch // the batches in the expression
	least, most int          // levels below the starting point
	below       bool         // a folder's content comes before the folder
	follow      bool         // follow links everywhere
	followFirst bool         // follow links that are named
	pruned      bool         // do not descend into the folder being visited
	failed      bool
}

// findBatch is an -exec … + that runs once with all names.
type findBatch struct{ words, names []string }

const maxFindDepth = 200 // levels of folders, and of brackets in an expression

func runFind(p *Process) int {
	f := &finder{Process: p, most: maxFindDepth}
	args := p.Args[1:]
	for len(args) > 0 && (args[0] == "-H" || args[0] == "-L" || args[0] == "-P") {
		f.followFirst = f.followFirst || args[0] != "-P"
		f.follow = args[0] == "-L"
		args = args[1:]
	}
	var starts []string
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != "(" && args[0] != "!" {
		starts = append(starts, args[0])
		args = args[1:]
	}
	if len(starts) == 0 {
		starts = []string{"."}
	}
	f.words = args
	test, err := f.either()
	if err == nil && len(f.words) > 0 {
		err = fmt.Errorf("bad arg '%s'", f.words[0])
	}
	if err != nil {
		return p.Fail("%v", err)
	}
	f.test = test
	for _, start := range starts {
		f.visit(start, 0, f.followFirst)
	}
	for _, batch := range f.batches {
		if len(batch.names) > 0 && p.Ctx.Err() == nil {
			p.Run(append(slices.Clone(batch.words), batch.names...))
		}
	}
	if f.failed {
		return 1
	}
	return 0
}

// visit tests a file and everything below it.
func (f *finder) visit(name string, level int, follow bool) {
	if f.Ctx.Err() != nil || level > f.most {
		return
	}
	clean, entry, err := f.look(name, follow || f.follow)
	if err != nil && f.follow {
		clean, entry, err = f.look(name, false) // a dangling link
	}
	if err != nil {
		f.Fail("'%s': %v", name, err)
		f.failed = true
		return
	}
	f.pruned = false
	apply := func() {
		if level >= f.least && f.test(name, clean, entry) && !f.acts {
			f.failed = f.Print(name+"\n") != 0 || f.failed
		}
	}
	if !f.below {
		apply()
	}
	if entry.Directory() && !f.pruned && level < f.most {
		entries, err := f.Files.List(clean)
		if err != nil {
			f.Fail("'%s': %v", name, err)
			f.failed = true
		}
		for _, below := range entries {
			f.visit(strings.TrimSuffix(name, "/")+"/"+below.Name, level+1, false)
		}
	}
	if f.below {
		apply()
	}
}

type findTest = func(name, clean string, entry Entry) bool

// either reads tests joined by -o.
func (f *finder) either() (findTest, error) {
	if f.nested++; f.nested > maxFindDepth {
		return nil, fmt.Errorf("too many (")
	}
	defer func() { f.nested-- }()
	test, err := f.all()
	for err == nil && len(f.words) > 0 && (f.words[0] == "-o" || f.words[0] == "-or") {
		f.words = f.words[1:]
		left := test
		var right findTest
		if right, err = f.all(); err == nil {
			test = func(name, clean string, entry Entry) bool {
				return left(name, clean, entry) || right(name, clean, entry)
			}
		}
	}
	return test, err
}

// all reads tests that must all hold.
func (f *finder) all() (findTest, error) {
	var tests []findTest
	for len(f.words) > 0 && f.words[0] != "-o" && f.words[0] != "-or" && f.words[0] != ")" {
		if f.words[0] == "-a" || f.words[0] == "-and" {
			f.words = f.words[1:]
			continue
		}
		test, err := f.one()
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return func(name, clean string, entry Entry) bool {
		for _, test := range tests {
			if !test(name, clean, entry) {
				return false
			}
		}
		return true
	}, nil
}

// one reads one test or action.
func (f *finder) one() (findTest, error) {
	word := f.words[0]
	f.words = f.words[1:]
	switch word {
	case "!", "-not":
		negated := false
		for negated = true; len(f.words) > 0 && (f.words[0] == "!" || f.words[0] == "-not"); negated = !negated {
			f.words = f.words[1:]
		}
		if len(f.words) == 0 {
			return nil, fmt.Errorf("missing argument to '%s'", word)
		}
		test, err := f.one()
		return func(name, clean string, entry Entry) bool { return test(name, clean, entry) != negated }, err
	case "(":
		test, err := f.either()
		if err == nil && (len(f.words) == 0 || f.words[0] != ")") {
			err = fmt.Errorf("missing )")
		}
		if err != nil {
			return nil, err
		}
		f.words = f.words[1:]
		return test, nil
	case "-print", "-print0":
		f.acts = true
		end := "\n"
		if word == "-print0" {
			end = "\x00"
		}
		return func(name, _ string, _ Entry) bool { return f.Print(name+end) == 0 }, nil
	case "-delete":
		f.acts, f.below = true, true
		return func(name, clean string, _ Entry) bool {
			if err := f.Files.remove(clean); err != nil {
				f.Fail("'%s': %v", name, err)
				f.failed = true
				return false
			}
			return true
		}, nil
	case "-depth":
		f.below = true
		return always, nil
	case "-prune":
		return func(string, string, Entry) bool { f.pruned = true; return true }, nil
	case "-xdev", "-mount", "-true":
		return always, nil
	case "-false":
		return func(string, string, Entry) bool { return false }, nil
	case "-empty":
		return f.isEmpty, nil
	case "-exec", "-ok":
		return f.execution()
	}
	if len(f.words) == 0 {
		return nil, fmt.Errorf("missing argument to '%s'", word)
	}
	value := f.words[0]
	f.words = f.words[1:]
	return f.comparison(word, value)
}

// isEmpty tests for folders without entries and files without content.
func (f *finder) isEmpty(_, clean string, entry Entry) bool {
	if entry.Directory() {
		entries, err := f.Files.List(clean)
		return err == nil && len(entries) == 0
	}
	return entry.Size == 0
}

func always(string, string, Entry) bool { return true }

// comparison is a test that takes a value.
func (f *finder) comparison(word, value string) (findTest, error) {
	switch word {
	case "-name", "-iname", "-path", "-wholename", "-ipath":
		fold := func(text string) string { return text }
		if word == "-iname" || word == "-ipath" {
			fold = strings.ToLower
		}
		return func(name, _ string, _ Entry) bool {
			if word == "-name" || word == "-iname" {
				name = path.Base(name)
			}
			return matchPattern(fold(value), fold(name))
		}, nil
	case "-type":
		kinds := map[string]uint32{"f": modeRegular, "d": modeDirectory, "l": modeLink, "c": modeCharacter}
		var wanted []uint32
		for _, letter := range strings.Split(value, ",") {
			kind, ok := kinds[letter]
			if !ok && letter != "b" && letter != "p" && letter != "s" {
				return nil, fmt.Errorf("bad -type '%s'", value)
			}
			wanted = append(wanted, kind)
		}
		return func(_, _ string, entry Entry) bool { return slices.Contains(wanted, entry.Mode&modeTypes) }, nil
	case "-maxdepth", "-mindepth":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("bad %s '%s'", word, value)
		}
		if word == "-maxdepth" {
			f.most = min(n, maxFindDepth)
		} else {
			f.least = n
		}
		return always, nil
	case "-newer":
		_, other, err := f.look(value, true)
		if err != nil {
			return nil, fmt.Errorf("'%s': %w", value, err)
		}
		return func(_, _ string, entry Entry) bool { return entry.Changed.After(other.Changed) }, nil
	case "-user", "-group":
		return func(string, string, Entry) bool { return value == "shell" || value == "2000" }, nil
	case "-size", "-mtime", "-mmin":
		return f.numeric(word, value)
	}
	return nil, fmt.Errorf("bad arg '%s'", word)
}

// numeric is a comparison with N, +N for more or -N for less.
func (f *finder) numeric(word, value string) (findTest, error) {
	text, unit := strings.TrimLeft(value, "+-"), int64(512)
	if word == "-size" {
		for suffix, size := range map[string]int64{"c": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
			if cut, ok := strings.CutSuffix(text, suffix); ok {
				text, unit = cut, size
			}
		}
	}
	n, err := strconv.ParseInt(text, 10, 62)
	if err != nil {
		return nil, fmt.Errorf("bad %s '%s'", word, value)
	}
	return func(_, _ string, entry Entry) bool {
		have := (entry.Size + unit - 1) / unit
		if word != "-size" {
			length := map[string]time.Duration{"-mtime": 24 * time.Hour, "-mmin": time.Minute}[word]
			have = int64(f.Files.clock().Sub(entry.Changed) / length)
		}
		switch value[0] {
		case '+':
			return have > n
		case '-':
			return have < n
		}
		return have == n
	}, nil
}

// execution is -exec COMMAND … ; for each file, or -exec COMMAND … {} + for all.
func (f *finder) execution() (findTest, error) {
	f.acts = true
	end := slices.IndexFunc(f.words, func(word string) bool { return word == ";" || word == "+" })
	if end <= 0 {
		return nil, fmt.Errorf("-exec needs %s", map[bool]string{true: "a command", false: "\\;"}[end == 0])
	}
	words, all := f.words[:end], f.words[end] == "+"
	f.words = f.words[end+1:]
	if all {
		batch := &findBatch{words: slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "{}" })}
		if len(batch.words) == 0 {
			return nil, fmt.Errorf("-exec needs a command")
		}
		f.batches = append(f.batches, batch)
		return func(name, _ string, _ Entry) bool { batch.names = append(batch.names, name); return true }, nil
	}
	return func(name, _ string, _ Entry) bool {
		args := make([]string, len(words))
		for i, word := range words {
			args[i] = strings.ReplaceAll(word, "{}", name)
		}
		return f.Run(args) == 0
	}, nil
}
