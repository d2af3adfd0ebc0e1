#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the package, or takes the one that is named, and installs it in a clean Debian 12 that is made of the packages of
# this machine's own apt sources. There it runs the window (offscreen), figures, commands and Python, without the source
# tree. Needs root.
set -euo pipefail
here="$(dirname "$(readlink -f "$0")")"
# shellcheck source=app/prepare.sh
source "$here/../../app/prepare.sh"
install_missing mmdebstrap
package=${1:-$("$here/../../app/package.sh")}
clean=$(mktemp -d)
# Folders of this system are mounted in it: they are never removed.
clean_up() {
  umount -R -l "$clean/root/proc" "$clean/root/sys" "$clean/root/dev" 2>/dev/null || true
  rm -rf --one-file-system "$clean"
}
trap clean_up EXIT
started=$SECONDS

# Sources of Debian 12 alone: of others, a clean system knows nothing.
mapfile -t sources < <(grep -l -s -r --include='*.list' --include='*.sources' -E '^(Suites:(.* )?|deb .* )bookworm( |$)' /etc/apt)
[ ${#sources[@]} -gt 0 ] || { echo "no apt source of Debian 12 in /etc/apt" >&2; exit 2; }
mmdebstrap --variant=apt --include=ca-certificates bookworm "$clean/root" "${sources[@]}" >"$clean/log" 2>&1 ||
  { tail -5 "$clean/log" >&2; exit 1; }
echo "a clean Debian 12 after $((SECONDS - started)) s"
cp "$package" "$clean/root/tmp/vqscope.deb"
cp "$here/inside.sh" "$here/tree.sh" "$clean/root/tmp/"
for each in proc sys dev; do mount --rbind --make-rslave "/$each" "$clean/root/$each"; done
cp /etc/resolv.conf "$clean/root/etc/" 2>/dev/null || true
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$clean/root" bash /tmp/inside.sh
echo "the package passed after $((SECONDS - started)) s"
