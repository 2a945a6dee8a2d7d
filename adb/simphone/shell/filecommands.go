package shell

import (
	"fmt"
	"path"
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

func runLs(p *Process) int {
	flags, _, names, ok := p.Options("1alt", "", 0)
	if !ok {
		return 1
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	status := 0
	var files, folders []Entry
	for _, name := range names {
		_, entry, err := p.look(name, !flags['l']) // with -l a named link is listed itself
		if err != nil {
			status = p.Fail("%s: %v", name, err)
			continue
		}
		entry.Name = name
		if entry.Directory() {
			folders = append(folders, entry)
		} else {
			files = append(files, entry)
		}
	}
	if p.listEntries(files, flags) != 0 {
		return 1
	}
	for i, folder := range folders {
		entries, err := p.folder(folder.Name, flags['a'])
		if err != nil {
			status = p.Fail("%s: %v", folder.Name, err)
			continue
		}
		title := ""
		if len(files)+len(folders) > 1 {
			title = folder.Name + ":\n"
			if i > 0 || len(files) > 0 {
				title = "\n" + title
			}
		}
		if flags['l'] {
			total := int64(0)
			for _, entry := range entries {
				const block = 4096 // bytes; files take whole blocks
				total += (entry.Size + block - 1) / block * (block / 1024)
			}
			title += fmt.Sprintf("total %d\n", total)
		}
		if p.Print(title) != 0 || p.listEntries(entries, flags) != 0 {
			return 1
		}
	}
	return status
}

// folder is the list that ls prints for a folder.
func (p *Process) folder(name string, all bool) ([]Entry, error) {
	clean, _, err := p.look(name, true)
	if err != nil {
		return nil, err
	}
	entries, err := p.Files.List(clean)
	if !all {
		return slices.DeleteFunc(entries, func(e Entry) bool { return strings.HasPrefix(e.Name, ".") }), err
	}
	for _, special := range []string{"..", "."} {
		if dir, err := p.Files.Stat(path.Join(clean, special)); err == nil {
			dir.Name = special
			entries = append([]Entry{dir}, entries...)
		}
	}
	return entries, err
}

// listEntries prints entries as ls does.
func (p *Process) listEntries(entries []Entry, flags map[byte]bool) int {
	if flags['t'] {
		slices.SortStableFunc(entries, func(a, b Entry) int { return b.Changed.Compare(a.Changed) })
	}
	width := 1
	for _, entry := range entries {
		width = max(width, len(strconv.FormatInt(entry.Size, 10)))
	}
	var out strings.Builder
	for _, entry := range entries {
		if flags['l'] {
			owner, size := "shell shell", fmt.Sprintf("%*d", width, entry.Size)
			if d := entry.Device; d != nil {
				owner, size = d.Owner+" "+d.Group, fmt.Sprintf("%3d, %3d", d.Major, d.Minor)
			}
			fmt.Fprintf(&out, "%s 1 %s %s %s ", permissions(entry), owner, size, entry.Changed.UTC().Format("2006-01-02 15:04"))
		}
		out.WriteString(entry.Name)
		if entry.Link() && flags['l'] {
			out.WriteString(" -> " + entry.Target)
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
	_, _, names, ok := p.Options("am", "", 1) // which of a file's times is set: here it has one
	if !ok {
		return 1
	}
	return p.each(names, "'%s': %v", func(name string) error {
		clean, err := p.Files.ResolveFile(p.Dir, name)
		if err == nil {
			err = p.Files.touch(clean)
		}
		if err == ErrNotExist {
			_, err = p.Files.Create(p.Ctx, clean, true)
		}
		return err
	})
}

func runReadlink(p *Process) int {
	_, _, names, ok := p.Options("", "", 1)
	if !ok {
		return 1
	}
	status := 0
	for _, name := range names {
		if _, entry, err := p.look(name, false); err != nil || !entry.Link() {
			status = 1
		} else {
			p.Print(entry.Target + "\n")
		}
	}
	return status
}
