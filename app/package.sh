#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian package of VQScope (Debian 12; missing packages are installed) and prints its path. Options go to
# cmake: -DVQSCOPE_BUILD_GUI=OFF makes the package of the program without Qt. The build is a folder of its own, because
# tests are left out.
set -euo pipefail
here="$(dirname "$(readlink -f "$0")")"
VQSCOPE_BUILD_DIR="${VQSCOPE_BUILD_DIR:-$here/../build/package}"
# shellcheck source=app/prepare.sh
source "$here/prepare.sh"
install_missing dpkg-dev file
[ $# -eq 0 ] || [ ! -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" "$@" >&2
prepare vqscope -DVQSCOPE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr "$@"
rm -f "$build"/vqscope_*.deb
(cd "$build" && cpack -G DEB >cpack.log 2>&1) || { cat "$build/cpack.log" >&2; exit 1; }
realpath "$build"/vqscope_*.deb
