#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds everything when needed (Debian 12; missing packages are installed) and runs all tests; no display is needed.
# Arguments go to ctest: tests/run.sh -R core
set -euo pipefail
# shellcheck source=app/prepare.sh
source "$(dirname "$(readlink -f "$0")")/../app/prepare.sh"
prepare all
export QT_QPA_PLATFORM=offscreen
exec ctest --test-dir "$build" --output-on-failure "$@"
