#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Within the clean system of run.sh: installs /tmp/vqscope.deb and uses it as a new user does.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/vqscope.deb >/tmp/apt.log 2>&1 || { tail -5 /tmp/apt.log >&2; exit 1; }
dpkg -s vqscope | grep -E '^(Version|Installed-Size|Depends|Recommends):'
apt-get install -y -qq --no-install-recommends python3 man-db desktop-file-utils shared-mime-info binutils zsh fish >/dev/null 2>&1
id user >/dev/null 2>&1 || useradd -m user

# As a user without rights, in an empty folder.
as_user() { (cd /home/user && setpriv --reuid=user --regid=user --clear-groups env -i PATH=/usr/bin:/bin HOME=/home/user LANG=C.UTF-8 "$@"); }
printf 'def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n' >/home/user/causal.py
printf 'def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx > kv_idx\n' >/home/user/wrong.py
as_user vqscope --version
as_user vqscope export rope_inv_freq --out numbers.csv numbers.npy numbers.json
as_user vqscope check --mask causal.py --set q_length=256 --objective causal
status=0
as_user vqscope check --mask wrong.py --set q_length=256 --objective causal || status=$?
[ $status = 1 ] || { echo "a wrong mask gave exit $status" >&2; exit 1; }
as_user man -P cat vqscope | grep -q 'EXIT STATUS'

if [ -e /usr/share/applications/vqscope.desktop ]; then
  as_user vqscope export visibility --set mask=packed --set q_length=2097152 --out mask.png mask.pdf mask.svg
  # The window, until it is told to close; it keeps its session then.
  as_user env QT_QPA_PLATFORM=offscreen timeout --signal=TERM --preserve-status 8 vqscope causal.py 2>/dev/null
  [ -s /home/user/.config/vqscope/last.vqscope ] || { echo "the window kept no session" >&2; exit 1; }
  echo "the window opened a mask and closed"
fi
as_user python3 - <<'PYTHON'
import vqscope

vqscope.assert_mask("causal.py", objective="causal", q_length=256)
findings = vqscope.check("wrong.py", objective="causal", q_length=256)
print("Python", vqscope.__version__, "found", [finding["rule"] for finding in findings])
assert findings
PYTHON
bash /tmp/tree.sh --installed /usr
