package shell

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	flags, _, names, ok := p.options("1aAcCdFghHikLlmnpqrRsStuUxZ", "", 0)
	if !ok {
		return 1
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
	flags, _, names, ok := p.options("acmh", "", 1)
	if !ok {
		return 1
	}
	at := p.Files.clock()
	return p.each(names, "'%s': %v", func(name string) error {
		clean, err := p.Files.ResolveFile(p.Dir, name)
		if err == nil {
			err = p.Files.setChanged(clean, at)
		}
		switch {
		case err == errNotExist && flags['c']:
			return nil
		case err == errNotExist:
			_, err = p.Files.Create(p.Ctx, clean, true)
		}
		return err
	})
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
	flags, _, names, ok := p.options("sfnvrT", "t", 0)
	if !ok {
		return 1
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
	_, _, names, ok := p.options("finvT", "", 2)
	if !ok {
		return 1
	}
	names, into, ok := p.destination(names, true)
	if !ok {
		return p.Fail("'%s' not directory", into(""))
	}
	return p.each(names, "bad '%s': %v", func(name string) error {
		from, err := p.Files.ResolveLink(p.Dir, name)
		var to string
		if err == nil {
			to, err = p.Files.ResolveLink(p.Dir, into(name))
		}
		if err == nil {
			err = p.Files.move(from, to)
		}
		return err
	})
}

func runReadlink(p *Process) int {
	flags, _, names, ok := p.options("efmnqz", "", 1)
	if !ok {
		return 1
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
	return p.each(p.Args[1:], "%s: %v", func(name string) error {
		clean, _, err := p.look(name, true)
		if err == nil {
			p.Print(clean + "\n")
		}
		return err
	})
}

// statFile is the default format of stat.
const statFile = "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %B\t%F\nDevice: %Dh/%dd\t Inode: %i\t Links: %h\n" +
	"Access: (%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %x\nModify: %y\nChange: %z"

func runStat(p *Process) int {
	flags, values, names, ok := p.options("L", "c", 1)
	if !ok {
		return 1
	}
	format := statFile
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
		fields := statFields(name, clean, entry)
		text := letters.ReplaceAllStringFunc(format, func(letter string) string {
			if field, known := fields[letter[1]]; known {
				return field
			}
			return letter
		})
		if len(text) > maxText {
			return p.Fail("output too long")
		}
		if p.Print(text+"\n") != 0 {
			return 1
		}
	}
	return status
}

// letters are those of a format.
var letters = regexp.MustCompile("%.")

// statFields are the texts that stat prints for the letters of a format.
func statFields(name, clean string, entry Entry) map[byte]string {
	const user, userID, device = "shell", "2000", 0xfe03
	changed, second := entry.Changed.UTC().Format("2006-01-02 15:04:05.000000000 -0700"), strconv.FormatInt(entry.Changed.Unix(), 10)
	quoted := "`" + name + "'"
	if entry.Link() {
		quoted += " -> `" + entry.Target + "'"
	}
	return map[byte]string{
		'n': name, 'N': quoted, 's': strconv.FormatInt(entry.Size, 10), 'F': kindOf(entry),
		'a': fmt.Sprintf("%04o", entry.Mode&0o7777), 'A': permissions(entry), 'f': fmt.Sprintf("%x", entry.Mode),
		'u': userID, 'g': userID, 'U': user, 'G': user, 'C': "u:object_r:media_rw_data_file:s0",
		'b': strconv.FormatInt(blocks(entry), 10), 'B': "512", 'o': strconv.Itoa(blockSize), 'h': "1",
		'i': strconv.Itoa(inode(clean)), 'd': strconv.Itoa(device), 'D': strconv.FormatInt(device, 16), 't': "0", 'T': "0", 'm': "/",
		'x': changed, 'y': changed, 'z': changed, 'X': second, 'Y': second, 'Z': second, '%': "%",
	}
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
