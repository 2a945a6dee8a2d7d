# Prints the flags with which the go command builds a program whose clock is wrong by
# TAPWISE_WRONG_CLOCK seconds, of its environment; the time that passes is right. A folder
# for what it needs is its argument.
set -eu
folder=$1
root=$(go env GOROOT)
mkdir -p "$folder"
sed 's/^\tsec, nsec, mono := runtimeNow()$/&\n\tsec += wrong/' "$root/src/time/time.go" >"$folder/time.go"
cat >"$folder/wrong.go" <<'GO'
package time

import "syscall"

var wrong = func() int64 {
	text, _ := syscall.Getenv("TAPWISE_WRONG_CLOCK")
	seconds, err := atoi(text)
	if err != nil {
		return 0
	}
	return int64(seconds)
}()
GO
printf '{"Replace":{"%s/src/time/time.go":"%s/time.go","%s/src/time/wrong.go":"%s/wrong.go"}}\n' "$root" "$folder" "$root" "$folder" >"$folder/overlay.json"
echo "-overlay $folder/overlay.json"
