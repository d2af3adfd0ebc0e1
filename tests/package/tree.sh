#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tree.sh BUILD: installs BUILD into a temporary prefix and checks what is there: the files in their places, manual page
# and completions, desktop entry, MIME types and metainfo, one version everywhere, and the program without source tree,
# home folder or locale. With --installed PREFIX, checks what is there already.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = --installed ]; then
  prefix=$2 source=""
else
  prefix=$work/prefix source=$(readlink -f "$(dirname "$0")/../..")
  cmake --install "$1" --prefix "$prefix" >/dev/null
fi
failed=0 passed=0

# check WHAT COMMAND...: one check; its output is shown where it fails.
check() {
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what: $*" >&2
    head -5 "$work/out" >&2
  fi
}
# A tool that this machine lacks is no failure.
has() { command -v "$1" >/dev/null; }
check_with() { ! has "$2" || check "$@"; }

program=$prefix/bin/vqscope
share=$prefix/share
version=$("$program" --version)
number=${version#vqscope }
gui=0
[ ! -e "$share/applications/vqscope.desktop" ] || gui=1

for file in bin/vqscope share/man/man1/vqscope.1 share/bash-completion/completions/vqscope \
  share/fish/vendor_completions.d/vqscope.fish share/doc/vqscope/copyright share/doc/vqscope/CHANGELOG.md \
  share/doc/vqscope/README.md share/doc/vqscope/guide/index.md lib/python3/dist-packages/vqscope/__init__.py; do
  check "in its place" test -s "$prefix/$file"
done
check "a script that runs" test -x "$share/doc/vqscope/examples/ci/check_masks.sh"
check "zsh completion" compgen -G "$share/zsh/*/_vqscope"

manual=$share/man/man1/vqscope.1
for section in NAME SYNOPSIS DESCRIPTION COMMANDS EXAMPLES 'EXIT STATUS' ENVIRONMENT FILES; do
  check "section $section" grep -q -E "^\.SH \"?$section\"?\$" "$manual"
done
commands=$("$program" help | sed -n -E 's/^  vqscope ([a-z]+) .*/\1/p' | sort -u)
check "some commands" test "$(wc -l <<<"$commands")" -ge 10
for command in $commands; do
  check "the manual page has it" grep -q "vqscope $command" "$manual"
  for shell in bash-completion/completions/vqscope fish/vendor_completions.d/vqscope.fish; do
    check "completed" grep -q -w -e "$command" "$share/$shell"
  done
done
check_with "manual page without warnings" man --warnings -l "$manual"
! has man || check "no warning of troff" test -z "$(man --warnings -l "$manual" 2>&1 >/dev/null)"
check_with "bash completion" bash -n "$share/bash-completion/completions/vqscope"
check_with "zsh completion" zsh -n "$(compgen -G "$share/zsh/*/_vqscope" | head -1)"
check_with "fish completion" fish -n "$share/fish/vendor_completions.d/vqscope.fish"

check "version of the manual page" grep -q "VQScope $number\"" "$manual"
check "version of the changelog" grep -q "^## $number (" "$share/doc/vqscope/CHANGELOG.md"
check "short option" test "$("$program" -V)" = "$version"
if [ $gui = 1 ]; then
  check "icon" test -s "$share/icons/hicolor/scalable/apps/vqscope.svg"
  check_with "desktop entry" desktop-file-validate "$share/applications/vqscope.desktop"
  check_with "metainfo" appstreamcli validate --no-net "$share/metainfo/org.vqscope.VQScope.metainfo.xml"
  check "version of the metainfo" grep -q "release version=\"$number\"" "$share/metainfo/org.vqscope.VQScope.metainfo.xml"
  mkdir -p "$work/mime/packages"
  cp "$share/mime/packages/vqscope.xml" "$work/mime/packages"
  check_with "MIME types" update-mime-database "$work/mime"
  ! has update-mime-database || check "type of a session" grep -q -e '\*\.vqscope' "$work/mime/globs2"
fi

# From elsewhere, without a locale, with a home folder that cannot be written.
outside() { (cd "$work" && env -i PATH="$prefix/bin:/usr/bin:/bin" HOME=/proc PYTHONDONTWRITEBYTECODE=1 \
  PYTHONPATH="$prefix/lib/python3/dist-packages" "$@"); }
printf 'def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n' >"$work/m.py"
check "list" outside vqscope list
check "a clean mask" outside vqscope check --mask m.py --set q_length=64 --objective causal
check "numbers" outside vqscope export t5_bucket --set q_length=8 --out a.csv
check "a matrix of 9 lines" test "$(wc -l <"$work/a.csv")" -eq 9
[ $gui = 0 ] || check "a figure" outside vqscope export t5_bucket --set q_length=8 --out a.png
if [ -x /usr/bin/python3 ]; then
  check "version of the Python client" test "$(outside /usr/bin/python3 -c 'import vqscope; print(vqscope.__version__)')" = "$number"
  check "a version for pip" outside /usr/bin/python3 -c "import importlib.metadata as m; assert m.version('vqscope') == '$number'"
  check "a check from Python" outside /usr/bin/python3 -c 'import vqscope; assert not [f for f in vqscope.check("m.py", objective="causal", q_length=64) if f["severity"] == "error"]'
fi
[ -z "$source" ] || check "no paths of the build" test -z "$(grep -a -o -m 1 -F "$source/" "$program")"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
