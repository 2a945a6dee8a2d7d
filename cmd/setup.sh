#!/bin/sh
# Installs the tools and libraries that tapwise needs besides Go: OpenCV and a C++
# compiler to build it, adb to reach phones. It works on Debian and Ubuntu; elsewhere
# it says what to install. With the argument "test" it also installs, where possible,
# the browser in which pages are tested: without it those tests are skipped.
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
browser=
# Ubuntu's package of that name is not a browser but a pointer to a snap.
if [ "${1:-}" = test ] && ! command -v chromium >/dev/null && grep -q '^ID=debian' /etc/os-release 2>/dev/null &&
	command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; then
	browser=chromium
fi
[ -n "$missing$browser" ] || exit 0

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
echo "installing$missing${browser:+ $browser}"
$as apt-get update -qq
# Unquoted on purpose: each word is a package.
[ -z "$missing" ] || $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
[ -z "$browser" ] || $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $browser ||
	echo "$browser could not be installed; the tests in a browser will be skipped" >&2
