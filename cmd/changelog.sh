#!/bin/sh
# Prints the entries of docs/changes as a list. With a version it puts the list into
# CHANGELOG.md, above the newest release, and removes the entries' files.
set -eu
cd "$(dirname "$0")/.."

entries() {
	find docs/changes -name '*.md' ! -name README.md | LC_ALL=C sort
}

# list prints the entries as list items. Links relative to docs/changes become
# relative to the project's root, where CHANGELOG.md lies.
list() {
	entries | while read -r file; do
		sed -e 's|](\.\./\.\./|](|g' -e 's|](\.\./|](docs/|g' -e '1s/^/- /' -e '2,$s/^\(.\)/  \1/' "$file"
	done
}

if [ $# -eq 0 ]; then
	list
	exit
fi
case $1 in
*[!0-9.]* | .* | *. | *..*)
	echo "changelog: version $1, expected numbers with points between, such as 1.2.3" >&2
	exit 2
	;;
esac
if [ -z "$(entries)" ]; then
	echo "changelog: docs/changes has no entry" >&2
	exit 2
fi
if grep -q "^## $1 " CHANGELOG.md; then
	echo "changelog: CHANGELOG.md has version $1 already" >&2
	exit 2
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
	sed '/^## /,$d' CHANGELOG.md
	printf '## %s (%s)\n\n' "$1" "$(date +%Y-%m-%d)"
	list
	if grep -q '^## ' CHANGELOG.md; then
		echo
		sed -n '/^## /,$p' CHANGELOG.md
	fi
} >"$new"
cat "$new" >CHANGELOG.md
entries | while read -r file; do rm "$file"; done
