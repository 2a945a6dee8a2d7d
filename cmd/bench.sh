#!/bin/sh
# Runs the benchmarks that are watched from release to release and keeps what they
# print in docs/benchmarks, in a file named by the date and the commit. The lines at its
# head, the commit and the machine, are in the form that benchstat takes for
# configuration: https://go.dev/design/14313-benchmark-format
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short=12 HEAD)
if ! git diff --quiet HEAD; then
	commit="$commit-changed"
fi
mkdir -p docs/benchmarks
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
file=docs/benchmarks/$(date +%Y-%m-%d)-$commit.txt
{
	echo "commit: $commit"
	echo "go-version: $(go env GOVERSION)"
	echo "opencv: $(pkg-config --modversion opencv4)"
	echo "machine: $(nproc) processors, $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo), $(uname -sm)"
	go test ./solvers/engine/csp -run '^$' -bench . -benchtime 0.1s -count 4 -cpu 1
	go test ./solvers/games/flow -run '^$' -bench Official -benchtime 1x -count 4 -cpu 1
	go test ./vision/internal/cells -run '^$' -bench . -count 4 -cpu 1
	go test ./cmd/internal/play/player -run '^$' -bench 'Read/.*/clean' -benchtime 1x -count 4 -cpu 1
} >"$printed"
# Benchmarks print tables as well.
grep -E '^(Benchmark|PASS|ok|[a-z-]+: )' "$printed" >"$file"
echo "$file"
