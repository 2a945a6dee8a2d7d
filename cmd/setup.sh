#!/bin/sh
# Installs the tools and libraries that tapwise needs besides Go: OpenCV and a C++
# compiler to build it, adb to reach phones. It works on Debian and Ubuntu; elsewhere
# it says what to install. With an argument it also installs, where possible, what some tests are
# skipped without: "test" the browser for those of pages, "adbd" what makes a bare Debian.
set -eu

missing=
# Go 1.21 and later download the version that go.mod asks for.
case "$(go env GOVERSION 2>/dev/null)" in
'' | go1.[0-9] | go1.[0-9].* | go1.1[0-9] | go1.1[0-9].* | go1.20 | go1.20.*)
	echo "tapwise needs Go 1.26 or later (or 1.21, which fetches it) on the PATH: https://go.dev/dl" >&2
	exit 1
	;;
esac
command -v c++ >/dev/null || missing="$missing g++"
command -v pkg-config >/dev/null || missing="$missing pkg-config"
pkg-config --exists opencv4 2>/dev/null || missing="$missing libopencv-dev"
command -v adb >/dev/null || missing="$missing adb"
optional=
# Ubuntu's package of that name is not a browser but a pointer to a snap.
if [ "${1:-}" = test ] && ! command -v chromium >/dev/null && grep -q '^ID=debian' /etc/os-release 2>/dev/null; then
	optional=chromium
elif [ "${1:-}" = adbd ]; then
	command -v debootstrap >/dev/null || optional=debootstrap
	command -v ip >/dev/null || optional="$optional iproute2"
fi
command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; } || optional=
[ -n "$missing$optional" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "tapwise needs, by their Debian names:$missing" >&2
	echo "this system has no apt-get; install them with its own package manager" >&2
	exit 1
fi
if [ "$(id -u)" = 0 ]; then
	as=
elif command -v sudo >/dev/null; then
	as=sudo
else
	echo "tapwise needs packages that only root can install. As root:" >&2
	echo "    apt-get update && apt-get install -y --no-install-recommends$missing" >&2
	exit 1
fi
echo "installing$missing${optional:+ $optional}"
$as apt-get update -qq
# Unquoted on purpose: each word is a package.
[ -z "$missing" ] || $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
[ -z "$optional" ] || $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $optional ||
	echo "not installed: $optional; the tests with it will be skipped" >&2
