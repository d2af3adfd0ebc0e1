# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the build scripts: the packages that they need from Debian 12, and an incremental build.

root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
build="${VQSCOPE_BUILD_DIR:-$root/build/release}"

# libcli11-dev has headers only: the parser of the command line. qt6-wayland shows the window on a
# pure Wayland desktop.
packages=(g++ cmake ninja-build pkg-config qt6-base-dev libqt6opengl6-dev qt6-svg-dev qt6-wayland libqcustomplot-dev
  libimgui-dev libeigen3-dev zlib1g-dev libpng-dev libsleef-dev libfmt-dev libcli11-dev fonts-dejavu-core)

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

# files_to_compile TARGET: how many are outdated. Under its own name, the list of steps looks for
# new files first, and a dry run ends there.
files_to_compile() {
  ln -sf build.ninja "$build/count.ninja"
  ninja -C "$build" -f count.ninja -n "$1" 2>/dev/null | grep -c ' Building CXX ' || true
}

# minutes_to_compile FILES: about how long that takes, each file as long as one that was compiled
# before, or 15 seconds.
minutes_to_compile() {
  local log=/dev/null
  [ ! -f "$build/.ninja_log" ] || log="$build/.ninja_log"
  awk -v files="$1" -v processors="$(nproc)" \
    '$4 ~ /\.o$/ { n++; ms += $2 - $1 } END { each = n ? ms / n / 1000 : 15; print int(files * each / processors / 60) + 1 }' "$log"
}

# prepare TARGET [-DOPTION...]: configures at the first call and builds outdated files. Output goes
# to stderr; where little is outdated, only errors are shown, because stderr then belongs to the
# program.
prepare() {
  local target="$1"
  shift
  install_missing "${packages[@]}"
  [ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVQSCOPE_UNITY=ON "$@" >&2
  local files
  files=$(files_to_compile "$target")
  if [ "$files" -lt 20 ]; then
    cmake --build "$build" --target "$target" -- --quiet | sed '/^ninja: no work to do/d' >&2
  else
    echo "Compiling $files files of $target: about $(minutes_to_compile "$files") minutes on $(nproc) processors" >&2
    cmake --build "$build" --target "$target" >&2
  fi
}
