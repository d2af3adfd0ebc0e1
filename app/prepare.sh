# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts that build: what they need from Debian 12, and a build that is only done when it is needed.

root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
build="${VQSCOPE_BUILD_DIR:-$root/build/release}"

# libcli11-dev is headers alone: the options of the command line, and their help.
packages=(g++ cmake ninja-build pkg-config qt6-base-dev libqt6opengl6-dev qt6-svg-dev libqcustomplot-dev libimgui-dev
  libeigen3-dev zlib1g-dev libsleef-dev libfmt-dev libcli11-dev fonts-dejavu-core)

# Installs those of the named packages that are missing; says nothing and asks nothing when none is.
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

# prepare TARGET [-DOPTION...]: configures the first time, builds what is out of date. Output goes to stderr; once
# there is a program, only errors are shown, for stderr then belongs to it.
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
