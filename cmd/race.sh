#!/bin/sh
# Print the packages that `make race` tests: those whose code starts goroutines or shares
# memory between them, and those below. The race detector slows the others down
# tenfold and finds nothing in them.
set -eu
# solvers/all tests every game from several goroutines; run is the joint of the player,
# the phone and the journal, so that the player's own tests, which take minutes more, need
# not be run: all they share is a trace's lock. The glyphs share one model, made once, which
# vision's tests read from several goroutines.
shared='"sync|\bgo [a-zA-Z.]+\(|\bgo func|\.Go\('
go list -f '{{.Dir}} {{.ImportPath}}' ./... | while read -r folder package; do
	case $package in
	*/solvers/all | */cmd/internal/play/run) echo "$package" ;;
	*/cmd/internal/play/player | */vision/internal/glyphs) ;;
	*) if ls "$folder"/*.go | grep -v '_test\.go$' | xargs grep -qsE "$shared"; then echo "$package"; fi ;;
	esac
done
