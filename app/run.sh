#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds VQScope when needed (Debian 12; missing packages are installed) and runs it with the arguments given.
set -euo pipefail
# shellcheck source=app/prepare.sh
source "$(dirname "$(readlink -f "$0")")/prepare.sh"
prepare vqscope
exec "$build/vqscope" "$@"
