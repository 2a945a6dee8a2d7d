#!/bin/sh
# Builds a release in a bare system, and tries one as somebody would who has nothing else.
# It needs root, debootstrap and the packages of Debian or Ubuntu.
#
#	sh cmd/dist/bare.sh build trixie                # builds into dist/, in Debian 13
#	sh cmd/dist/bare.sh try bookworm dist/X.deb     # installs it in Debian 12, plays, removes it
#	sh cmd/dist/bare.sh units bookworm dist/X.deb   # starts its units under a systemd
#	sh cmd/dist/bare.sh vision trixie               # runs the tests of vision with its OpenCV
#	sh cmd/dist/bare.sh container                   # builds Containerfile with buildah and plays in it
set -eu
cd "$(dirname "$0")/../.."
what=$1
release=${2:-trixie} # the recipe's

say() { printf '\n== %s\n' "$*"; }

bare=$(mktemp -d)
chmod 755 "$bare" # apt looks in as another user
clean() {
	test -z "${container:-}" || buildah rm "$container" >/dev/null 2>&1 || true
	for mounted in proc dev/pts root/go src; do
		umount "$bare/$mounted" 2>/dev/null || true
	done
	rm -rf --one-file-system "$bare" "$bare.log"
}
trap clean EXIT INT TERM

# quietly shows what a command printed only where it fails.
quietly() {
	"$@" >"$bare.log" 2>&1 || {
		tail -n 20 "$bare.log" >&2
		return 1
	}
}

# inside runs a command in the bare system.
inside() {
	chroot "$bare" /usr/bin/env -i PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive GOPROXY="${GOPROXY:-}" GOFLAGS="${GOFLAGS:-}" "$@"
}

say "a bare system of $release"
quietly debootstrap --variant=minbase "$release" "$bare"
mount -t proc proc "$bare/proc" 2>/dev/null || true
mkdir -p "$bare/dev/pts"
mount -t devpts devpts "$bare/dev/pts" 2>/dev/null || true
# The same ways to the packages as this system has.
cp -r /etc/apt/apt.conf.d/. "$bare/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$bare/etc/resolv.conf" 2>/dev/null || true
quietly inside apt-get update

# toolchain lends the bare system the project's own clone, Go and its modules.
toolchain() {
	quietly inside apt-get install -y --no-install-recommends ca-certificates git make g++ pkg-config libopencv-dev adb
	mkdir -p "$bare/usr/local/go" "$bare/root/go" "$bare/out"
	cp -r "$(go env GOROOT)/." "$bare/usr/local/go/"
	cp -r "$(go env GOMODCACHE)" "$bare/root/go/pkg-mod"
	quietly git clone -q . "$bare/src"
}

build() {
	say "build in $release"
	toolchain
	inside sh -c 'cd /src && export GOMODCACHE=/root/go/pkg-mod && . cmd/env.sh && cd cmd/dist && go run . -root /src -o /out'
	mkdir -p dist
	# The checksums of each system's files stand beside those of others.
	for sum in "$bare"/out/SHA256SUMS; do
		cat "$sum" dist/SHA256SUMS 2>/dev/null | sort -u -k 2 >dist/sums.new
		mv dist/sums.new dist/SHA256SUMS
	done
	cp "$bare"/out/tapwise_* dist/
	ls -l dist
}

vision() {
	say "vision's tests in $release"
	toolchain
	inside pkg-config --modversion opencv4
	inside sh -c 'cd /src && export GOMODCACHE=/root/go/pkg-mod && . cmd/env.sh && go test -count=1 ./vision/...'
}

# container follows the recipe step by step, from the bare system in place of the image
# that a registry would send, and plays in what comes out as the recipe's user.
container() {
	export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
	umount "$bare/proc" "$bare/dev/pts" 2>/dev/null || true
	say "build by the recipe"
	cp /etc/ssl/certs/ca-certificates.crt "$bare/etc/host.crt" # of a proxy between, if there is one
	base=$(buildah from scratch)
	quietly buildah add -q "$base" "$bare" /
	buildah config --env GOPROXY="$(go env GOPROXY)" --env SSL_CERT_FILE=/etc/host.crt "$base"
	quietly buildah commit -q "$base" docker.io/library/debian:13-slim
	buildah rm "$base" >/dev/null
	quietly git clone -q . "$bare.src"
	quietly buildah bud --network host --pull=false -f "$bare.src/cmd/dist/Containerfile" -t tapwise "$bare.src"
	rm -rf "$bare.src"
	say "two levels on the simulated phone"
	container=$(buildah from --pull=false tapwise)
	buildah run "$container" -- sh -c 'id && tapwise version && tapwise sim -- tapwise clear --levels 2'
}

# try installs a package, plays on the simulated phone and removes the package.
try() {
	cp "$1" "$bare/tmp/tapwise.deb"
	say "install"
	quietly inside apt-get install -y --no-install-recommends /tmp/tapwise.deb
	inside tapwise version
	inside sh -c 'tapwise doctor || test $? = 5' # no phone is plugged in
	inside bash -n /usr/share/bash-completion/completions/tapwise

	say "two levels on the simulated phone"
	inside tapwise sim -- tapwise clear --levels 2

	say "remove"
	quietly inside apt-get purge -y tapwise
	left=$(inside find / -xdev '(' -path /proc -o -path /var -o -path /tmp -o -path /root ')' -prune -o -iname '*tapwise*' -print)
	test -z "$left" || {
		echo "left behind: $left" >&2
		exit 1
	}
	echo "nothing is left behind"
}

# units installs a package and has a systemd of its own, in namespaces, start the package's units for a
# user: a hub, a worker of it and the page. Each answers, is started again when it is killed, and stops.
units() {
	cp "$1" "$bare/tmp/tapwise.deb"
	say "install"
	quietly inside apt-get install -y --no-install-recommends /tmp/tapwise.deb systemd dbus-user-session curl
	quietly inside useradd --create-home --uid 1000 player
	cp cmd/dist/units.sh "$bare/root/units.sh"
	# A user's manager, as user@.service starts it, without logind, which wants mounts of its own.
	cat >"$bare/etc/systemd/system/player.service" <<-'EOF'
		[Service]
		Type=notify
		User=player
		Delegate=yes
		Environment=XDG_RUNTIME_DIR=/run/user/1000
		ExecStartPre=+/usr/bin/install -d -o player -m 700 /run/user/1000
		ExecStart=/lib/systemd/systemd --user
	EOF
	cat >"$bare/etc/systemd/system/units.service" <<-'EOF'
		[Unit]
		Wants=player.service
		After=player.service
		SuccessAction=exit-force
		FailureAction=exit-force
		[Service]
		Type=oneshot
		ExecStart=/bin/sh -c 'sh /root/units.sh >/root/said 2>&1; echo $? >/root/status'
	EOF
	say "systemd"
	umount "$bare/proc" 2>/dev/null || true
	timeout --signal=KILL 300 unshare --pid --mount --cgroup --uts --ipc --fork --kill-child sh -c '
		mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/run" && mkdir -p "$1/sys" && mount -t tmpfs tmpfs "$1/sys" &&
		mkdir -p "$1/sys/fs/cgroup" && mount -t cgroup2 cgroup "$1/sys/fs/cgroup" &&
		exec chroot "$1" /usr/bin/env -i container=unshare PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --system --unit=units.service --log-target=console' sh "$bare" >"$bare.log" 2>&1 || true
	cat "$bare/root/said" || tail -n 40 "$bare.log" >&2
	test "$(cat "$bare/root/status")" = 0
}

case $what in
build) build ;;
units) units "$3" ;;
try) try "$3" ;;
vision) vision ;;
container) container ;;
*)
	echo "bare.sh: $what, expected build, try, units, vision or container" >&2
	exit 2
	;;
esac
