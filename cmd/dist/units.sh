#!/bin/sh
# Run by bare.sh units, as root under a systemd: starts the package's units for a user.
set -eu
as() { runuser -u player -- env XDG_RUNTIME_DIR=/run/user/1000 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus "$@"; }
until_true() {
	for _ in $(seq 100); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.2
	done
	echo "not within 20 s: $*" >&2
	as journalctl --user -n 40 --no-pager >&2 || true
	return 1
}
serves() { as curl --silent --fail http://127.0.0.1:8420/api/games; }
works() { as tapwise fleet phones 2>&1 | grep -q 'knows no phones' && as systemctl --user is-active tapwise-worker; }

until_true test -S /run/user/1000/bus
test "$(as systemctl --user is-enabled tapwise-hub tapwise-worker tapwise-serve || true)" = "disabled
disabled
disabled"
echo "off by default"
as systemctl --user enable --now tapwise-hub tapwise-worker tapwise-serve
until_true works
until_true serves
echo "the hub, the worker and the page run"
for unit in hub worker serve; do
	before=$(as systemctl --user show -P MainPID tapwise-$unit)
	kill -KILL "$before"
done
for unit in hub worker serve; do
	until_true as sh -c "test \"\$(systemctl --user show -P NRestarts tapwise-$unit)\" -ge 1 && systemctl --user is-active tapwise-$unit"
done
until_true works
until_true serves
echo "each was killed, and runs again"
as systemctl --user stop tapwise-serve tapwise-worker tapwise-hub
for unit in hub worker serve; do
	test "$(as systemctl --user show -P Result tapwise-$unit)" = success
done
echo "each stops in order"
as systemd-analyze --user security --no-pager tapwise-hub tapwise-worker tapwise-serve | tail -n 3 || true
