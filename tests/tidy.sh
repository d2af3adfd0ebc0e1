#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy over core, widgets and app, with the checks of .clang-tidy; each finding is an error. Files that changed
# last come first, those not yet committed before all; --most N reads the first N alone, and no file is begun after
# --seconds (3600).
# Usage: tests/tidy.sh [--most N] [--seconds S] [--jobs N] [FILE.cpp...]; with files, these alone.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

seconds=3600
most=100000
jobs=$(nproc)
while [[ "${1:-}" == --* ]]; do
  case "$1" in
    --most) most=$2 ;;
    --seconds) seconds=$2 ;;
    --jobs) jobs=$2 ;;
    *) echo "tests/tidy.sh: unknown option $1; it takes --most N, --seconds S and --jobs N" >&2 && exit 2 ;;
  esac
  shift 2
done

# Configured for its commands alone: clang's, for GCC's precompiled headers mean nothing to
# clang-tidy.
database=build/tidy
cmake -S . -B "$database" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DVQSCOPE_BUILD_TESTS=OFF >/dev/null

# A header is read with the file of its name.
last_changed_first() {
  {
    git diff --name-only HEAD
    git ls-files --others --exclude-standard
    git log --format= --name-only
    git ls-files
  } | sed -n -E '/^(core|widgets|app)\//s/\.(h|cpp)$/.cpp/p' | awk '!seen[$0]++' | while read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
}

found=$(mktemp -d)
trap 'rm -r "$found"' EXIT

# check FILE: leaves FILE.ok or FILE.findings in $found, or nothing when the time is over.
check() {
  local name="$found/${1//\//+}"
  [ "$EPOCHSECONDS" -lt "$deadline" ] || return 0
  if clang-tidy-14 -p "$database" --quiet --warnings-as-errors='*' "$1" >"$name.log" 2>&1; then
    mv "$name.log" "$name.ok"
  else
    mv "$name.log" "$name.findings"
  fi
}
export -f check
export found database deadline=$((EPOCHSECONDS + seconds))

files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(last_changed_first)
files=("${files[@]:0:$most}")
# shellcheck disable=SC2016  # the inner shell expands it
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'check "$1"' check

count() { find "$found" -name "*.$1" | wc -l; }
good=$(count ok)
bad=$(count findings)
# A finding in a header comes up in every file that includes it: it is told once.
find "$found" -name '*.findings' -exec cat {} + | awk '
  /^[^ ].*: (warning|error): / { told = seen[$0]++ }
  /^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter/ { next }
  !told'
echo "clang-tidy: $((good + bad)) files checked, $bad of them with findings," \
  "$((${#files[@]} - good - bad)) not checked for lack of time"
[ "$bad" -eq 0 ]
