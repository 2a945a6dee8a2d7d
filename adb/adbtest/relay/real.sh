#!/bin/sh
# Runs commands beside a real adbd (Debian's package), whose Android is the simulated phone:
#
#	unshare --net --mount sh real.sh ROOT TAPWISE "FLAGS OF SIM" COMMANDS…
#
# ROOT is a system with the packages adbd and mksh, and the program relay at /relay. The
# commands find the phone by TAPWISE_SERIAL, and its adb server, which is not the simulated
# phone's own, by TAPWISE_ADB_PORT. Nothing outside the namespaces is seen or reached.
set -eu
root=$1 tapwise=$2 flags=$3
shift 3
ip link set lo up
mkdir -p "$root/dev/pts" "$root/proc" "$root/data/local/tmp" "$root/sdcard" "$root/system/bin"
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666,gid=5 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
ln -sf mksh "$root/usr/bin/sh"
for name in am cat cmd dumpsys getevent getprop hid ime input logcat monkey pm screencap screenrecord settings svc uinput wm; do
	ln -f "$root/relay" "$root/system/bin/$name"
done
said=$(mktemp)
# shellcheck disable=SC2086 # several flags
"$tapwise" sim --server $flags >"$said" 2>&1 &
sim=$!
end() {
	adb kill-server >/dev/null 2>&1 || true
	kill "${adbd:-$sim}" "$sim" 2>/dev/null || true
	wait "$sim" 2>/dev/null || true
	rm -f "$said"
}
trap end EXIT INT TERM
for _ in $(seq 100); do
	grep -q Ctrl-C "$said" && break
	kill -0 "$sim" 2>/dev/null || { cat "$said" >&2; exit 1; }
	sleep 0.2
done
echo "$(sed -n 's/^export TAPWISE_ADB_PORT=//p' "$said") $(sed -n 's/^export TAPWISE_SERIAL=//p' "$said")" >"$root/relay.conf"
chroot "$root" /usr/bin/env -i PATH=/system/bin:/usr/bin:/bin ADBD_PORT=5556 /usr/lib/android-sdk/platform-tools/adbd >"$said" 2>&1 &
adbd=$!
export ANDROID_ADB_SERVER_PORT=5040 TAPWISE_ADB_PORT=5040 TAPWISE_SERIAL=127.0.0.1:5556 ANDROID_SERIAL=127.0.0.1:5556
adb start-server >/dev/null 2>&1
for _ in $(seq 50); do
	adb connect 127.0.0.1:5556 >/dev/null 2>&1 || true
	test "$(adb get-state 2>/dev/null)" = device && break
	sleep 0.3
done
"$@"
