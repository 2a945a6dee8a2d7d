#!/bin/sh
# Builds a release in a bare system, and tries one as somebody would who has nothing else.
# It needs root, debootstrap and the packages of Debian or Ubuntu.
#
#	sh cmd/dist/bare.sh build trixie                # builds into dist/, in Debian 13
#	sh cmd/dist/bare.sh try bookworm dist/X.deb     # installs it in Debian 12, plays, removes it
set -eu
cd "$(dirname "$0")/../.."
what=$1
release=$2

say() { printf '\n== %s\n' "$*"; }

bare=$(mktemp -d)
chmod 755 "$bare" # apt looks in as another user
clean() {
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

# build has the project's own clone, Go and its modules lent to the bare system.
build() {
	say "build in $release"
	quietly inside apt-get install -y --no-install-recommends ca-certificates git make g++ pkg-config libopencv-dev adb
	mkdir -p "$bare/usr/local/go" "$bare/root/go" "$bare/out"
	cp -r "$(go env GOROOT)/." "$bare/usr/local/go/"
	cp -r "$(go env GOMODCACHE)" "$bare/root/go/pkg-mod"
	quietly git clone -q . "$bare/src"
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

case $what in
build) build ;;
try) try "$3" ;;
*)
	echo "bare.sh: $what, expected build or try" >&2
	exit 2
	;;
esac
