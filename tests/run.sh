#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds everything when needed (Debian 12; missing packages are installed) and runs all tests; no display is needed.
# Arguments go to ctest: -R AlibiTest runs that class alone, -L encoding the classes of a module, -N lists them all.
set -euo pipefail
# shellcheck source=app/prepare.sh
source "$(dirname "$(readlink -f "$0")")/../app/prepare.sh"
prepare all
export QT_QPA_PLATFORM=offscreen CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(nproc)}"

# ctest looks for -R anywhere in a name: FieldTest would run RopePhaseFieldTest too. The whole name
# of a class is that class; and what names none ends here, where ctest would only find nothing to
# do.
arguments=()
previous=""
for argument in "$@"; do
  if [[ "$previous" =~ ^(-R|--tests-regex)$ && "$argument" =~ ^[A-Z][A-Za-z0-9]*Test$ ]]; then
    names=$(ctest --test-dir "$build" -N | sed -n -E 's/^ *Test +#[0-9]+: //p')
    if ! grep -q -x -F -e "$argument" <<<"$names"; then
      near=$(awk -v given="$argument" -f "$root/tests/support/nearest.awk" <<<"$names")
      echo "no test class is called $argument; the nearest names are $near (tests/run.sh -N lists all)" >&2
      exit 2
    fi
    argument="^$argument\$"
  fi
  arguments+=("$argument")
  previous="$argument"
done
exec ctest --test-dir "$build" --output-on-failure --no-tests=error "${arguments[@]}"
