# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the build scripts: the packages that they need from Debian 12, and an incremental build.

root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
build="${VQSCOPE_BUILD_DIR:-$root/build/release}"

# libcli11-dev has headers only: the parser of the command line.
packages=(g++ cmake ninja-build pkg-config qt6-base-dev libqt6opengl6-dev qt6-svg-dev libqcustomplot-dev libimgui-dev
  libeigen3-dev zlib1g-dev libsleef-dev libfmt-dev libcli11-dev fonts-dejavu-core)

# Installs the named packages that are missing; prints nothing and asks nothing if there are none.
install_missing() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Installing ${missing[*]}" >&2
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >/dev/null
}

# prepare TARGET [-DOPTION...]: configures at the first call and builds outdated files. Output goes to stderr; once the
# program exists, only errors are shown, because stderr then belongs to the program.
prepare() {
  local target="$1"
  shift
  install_missing "${packages[@]}"
  [ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVQSCOPE_UNITY=ON "$@" >&2
  if [ -x "$build/vqscope" ]; then
    cmake --build "$build" --target "$target" -- --quiet | sed '/^ninja: no work to do/d' >&2
  else
    cmake --build "$build" --target "$target" >&2
  fi
}
