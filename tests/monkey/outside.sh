#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A random user from outside: the built program under Xvfb, driven by xdotool. Says whether the window lives, and
# whether the program starts once more over what it left behind:
#   tests/monkey/outside.sh [--seconds N] [--seed N] [--program FILE]
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
seconds=30 seed=$(date +%s) program=$root/build/release/vqscope
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2 ;;
    --seed) seed=$2 ;;
    --program) program=$2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
program=$(readlink -f "$program")
home=$(mktemp -d)
export HOME=$home XDG_CONFIG_HOME=$home/config XDG_STATE_HOME=$home/state XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home
export XDG_CACHE_HOME=$home/cache ASAN_OPTIONS=detect_leaks=0 LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
mkdir "$home/work"
cd "$home/work"

# The server takes a number that is free, and says which.
mkfifo "$home/number"
Xvfb -displayfd 3 -screen 0 1400x900x24 3>"$home/number" 2>"$home/server" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$home"' EXIT
read -r number <"$home/number"
export DISPLAY=:$number QT_QPA_PLATFORM=xcb

start() {
  "$program" >"$home/said" 2>&1 &
  pid=$!
  timeout 30 xdotool search --sync --onlyvisible --name VQScope >"$home/window" || true
}

# A subshell draws numbers of its own, which no seed brings back: none of these may be one.
RANDOM=$((seed % 32768))
undo=(ctrl+z ctrl+shift+z)
keys=(Up Down Left Right Page_Up Page_Down Home End space F7 F8 F9)
move() { printf 'mousemove %d %d\n' $((RANDOM % 1400)) $((RANDOM % 900)); }
# Nothing here deletes a file: no Delete key, no context menu, and letters go into boxes alone.
event() {
  case $((RANDOM % 12)) in
    0 | 1 | 2) move; echo 'click 1' ;;
    3) move ;;
    4) move; echo "click $((4 + RANDOM % 2))" ;;
    5) echo "key ctrl+$((1 + RANDOM % 9))" ;;
    6) echo "key ${undo[RANDOM % 2]}" ;;
    7) echo 'key Tab' ;;
    8) printf 'mousedown 1\n'; move; printf 'mouseup 1\n' ;;
    9) echo "key ${keys[RANDOM % ${#keys[@]}]}" ;;
    10) echo "type --delay 0 $((RANDOM % 3000))" ;;
    11) echo 'key Escape' ;;
  esac
}

start
events=0 until=$((SECONDS + seconds))
while kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt $until ]; do
  for _ in {1..15}; do event; done >"$home/last"
  # The status of xdotool says nothing of the program.
  timeout 20 xdotool - <"$home/last" >/dev/null 2>&1 || true
  events=$((events + 15))
done
ends() {
  echo "seed $seed: $1 after about $events events; the last ones:"
  paste -s -d ';' "$home/last"
  cat "$home/said"
  exit 1
}
if ! kill -0 "$pid" 2>/dev/null; then
  code=0
  wait "$pid" || code=$?
  [ $code -eq 0 ] || ends "the program ended with $code"
fi
# Killed, as by a power cut: the next start must stand all the same.
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
start
sleep 2
kill -0 "$pid" 2>/dev/null || ends "the next start does not stand"
kill "$pid"
wait "$pid" || true
echo "seed $seed: about $events events in $seconds s, the window lives, and the next start stands"
