#!/bin/sh
# Fuzzes every parser for the time given.
set -eu
. "$(dirname "$0")/env.sh"
for package in $(go list ./...); do
	for name in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "$package $name"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 10x "$package"
	done
done
