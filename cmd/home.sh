#!/bin/sh
# Gives the module another path, as when it gets a home that `go install` can fetch:
#
#	sh cmd/home.sh example.org/tapwise
#
# The path stands in go.mod; here it is changed there, in the release tool's go.mod, and in
# the imports.
set -eu
cd "$(dirname "$0")/.."
new=${1:?the path to give the module, as in "sh cmd/home.sh example.org/tapwise"}
old=$(go list -m)
go mod edit -module "$new"
(cd cmd/dist && go mod edit -module "$new/cmd/dist")
find . -name .git -prune -o '(' -name '*.go' -o -name '*.tmpl' ')' -type f -print |
	xargs sed -i -E "s#\"$old/(adb|calibration|cmd|configs|solvers|vision)([/\"])#\"$new/\\1\\2#"
gofmt -l -w adb calibration cmd configs solvers vision
