#!/bin/sh
# Makes a system with a real adbd, and runs TestRealADBD beside it; see doc.go. It says why where it cannot.
set -eu
cd "$(dirname "$0")/../../.."
for program in debootstrap unshare ip mount chroot adb; do
	command -v "$program" >/dev/null || { echo "make adbd: skipped: $program is not installed"; exit 0; }
done
test "$(id -u)" = 0 || { echo "make adbd: skipped: it needs root, for a chroot"; exit 0; }
unshare --net --mount --pid --fork true 2>/dev/null || { echo "make adbd: skipped: namespaces are not allowed here"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT INT TERM
debootstrap --variant=minbase --include=adbd,mksh trixie "$folder/root" >"$folder/log" 2>&1 ||
	{ tail -n 5 "$folder/log"; echo "make adbd: skipped: debootstrap of trixie failed"; exit 0; }
if command -v npm >/dev/null; then
	mkdir "$folder/clients"
	cp adb/simphone/testdata/clients/* "$folder/clients"
	npm install --prefix "$folder/clients" --no-audit --no-fund --ignore-scripts --loglevel=error
fi
. ./cmd/env.sh
TAPWISE_ADBD="$folder" go test ./cmd/tapwise -run 'TestRealADBD$' -count=1 -v
