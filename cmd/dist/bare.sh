#!/bin/sh
# Tries a .deb as somebody would who has nothing else: installs it in a bare system of
# the release that it was built for, looks at the phones there are (none), plays a level
# on the simulated phone, and removes it. Needs root, debootstrap and Debian's packages.
#
#	sh cmd/dist/bare.sh bookworm dist/tapwise_0.1.0_debian12_amd64.deb
set -eu
release=$1
package=$2
bare=$(mktemp -d)
clean() {
	umount "$bare/proc" 2>/dev/null || true
	rm -rf --one-file-system "$bare"
}
trap clean EXIT INT TERM

say() { printf '\n== %s\n' "$*"; }
# inside runs a command in the bare system.
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

say "a bare system of $release"
debootstrap --variant=minbase "$release" "$bare" >"$bare.log" 2>&1 || {
	tail -n 20 "$bare.log" >&2
	exit 1
}
rm -f "$bare.log"
mount -t proc proc "$bare/proc" 2>/dev/null || true
# The same ways to the packages as this system has.
cp -r /etc/apt/apt.conf.d/. "$bare/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$bare/etc/resolv.conf" 2>/dev/null || true
cp "$package" "$bare/tmp/tapwise.deb"
inside apt-get update >/dev/null
# files lists what is there but what packages' tools keep for themselves.
files() { inside find / -xdev -path /proc -prune -o -path /var -prune -o -path /tmp -prune -o -path /root -prune -o -type f -print | LC_ALL=C sort; }

say "install"
inside apt-get install -y --no-install-recommends /tmp/tapwise.deb >"$bare/tmp/install.log" 2>&1 || {
	tail -n 20 "$bare/tmp/install.log" >&2
	exit 1
}
inside tapwise version
inside sh -c 'tapwise doctor || test $? = 5' # no phone is plugged in
inside sh -c 'test -s /usr/share/bash-completion/completions/tapwise && bash -n /usr/share/bash-completion/completions/tapwise'

say "two levels on the simulated phone"
inside tapwise sim --game flow -- tapwise clear --game flow --levels 2

say "remove"
inside apt-get purge -y tapwise >/dev/null
left=$(files | grep -i tapwise || true)
test -z "$left" || {
	echo "left behind: $left" >&2
	exit 1
}
echo "nothing is left behind"
