package main

import (
	"fmt"
	"strings"
)

// The tar archive has the program below lib; in its place in bin stands the launcher.
const (
	programTarget = "/usr/bin/tapwise"
	behindTarget  = "/usr/lib/tapwise/tapwise"
)

// launcher is a shell script that starts the program. The system's own message about a
// missing library names only its file; the script's is one line with the packages to
// install. A .deb needs none: its packages are declared.
func (r *release) launcher() string {
	var known strings.Builder
	for _, l := range r.packages {
		fmt.Fprintf(&known, "\t\t%s) echo %s ;;\n", strings.Join(l.Files, " | "), l.Package)
	}
	return strings.NewReplacer("SYSTEM", r.system, "\t\tKNOWN\n", known.String()).Replace(launcherScript)
}

// launcherScript has ldd ask the dynamic linker what the program would load.
const launcherScript = `#!/bin/sh
# Starts tapwise, or says in one line which packages it lacks.
program=$(dirname "$(readlink -f "$0")")/../lib/tapwise/tapwise
missing=$(ldd "$program" 2>&1 | sed -n '
	s/^[[:space:]]*\([^ ]*\) => not found.*/\1/p
	s/.*version .\(GLIBC[^ ]*\). not found.*/\1/p' | sort -u | tr '\n' ' ')
[ -n "$missing" ] || exec "$program" "$@"
packages=$(for file in $missing; do
	case $file in
		KNOWN
	esac
done | sort -u | tr '\n' ' ')
system=$(. /etc/os-release 2>/dev/null && echo "$ID${VERSION_ID:-}")
if [ "$system" = SYSTEM ] && [ -n "$packages" ]; then
	echo "tapwise: ${missing% } not found; install what has it: sudo apt-get install ${packages% }" >&2
else
	echo "tapwise: ${missing% } not found: this archive is for SYSTEM, not for ${system:-this system}; take your system's, or build tapwise there with OpenCV (the package libopencv-dev of Debian and Ubuntu, opencv-devel of Fedora, opencv of Arch)" >&2
fi
exit 127
`
