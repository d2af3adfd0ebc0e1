#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many random users, each over a window of its own, and what they found in sum:
#   tests/monkey/run.sh [--seeds a:b] [--events N] [--jobs N] [--build DIR] [--out DIR] [options of vqscope_monkey]
# After each run the window is started once more over what was left behind, also after a crash.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
seeds=1:8 events=500 jobs=$(nproc) build=$root/build/release out="" seconds=900 only=0
more=()
while [ $# -gt 0 ]; do
  case $1 in
    --seeds) seeds=$2; shift ;;
    --events) events=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --build) build=$2; shift ;;
    --out) out=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --crashes-only) only=1 ;;
    *) more+=("$1") ;;
  esac
  shift
done
[ -n "$out" ] || out=$(mktemp -d)
mkdir -p "$out"
out=$(cd "$out" && pwd)
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)} monkey="$build/tests/monkey/vqscope_monkey" events seconds out only
export LC_ALL=C.UTF-8 ASAN_OPTIONS="exitcode=99:detect_leaks=0:quarantine_size_mb=16:hard_rss_limit_mb=6000:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="exitcode=99:print_stacktrace=1:${UBSAN_OPTIONS:-}"

# A seed's lines: what it saw, exit codes, and of a crash what was on the stack.
one() {
  local seed=$1 code=0 next=0
  shift
  local dir=$out/$seed
  rm -rf "$dir" && mkdir -p "$dir"
  timeout -k 5 "$seconds" "$monkey" --seed "$seed" --events "$events" --home "$dir/home" --log "$dir/log" "$@" \
    >"$dir/out" 2>"$dir/err" || code=$?
  timeout -k 5 120 "$monkey" --seed "$seed" --events 0 --home "$dir/home" >"$dir/next" 2>&1 || next=$?
  # Slow and nothing else: told, not judged, as in the run itself.
  if [ "$only" -eq 1 ] && [ $next -eq 1 ] && grep -q '^seed .* broken 0 ' "$dir/next"; then next=0; fi
  if [ $code -eq 0 ] && [ $next -eq 0 ]; then rm -rf "${dir:?}/home"; fi
  local line crash=
  line=$(grep '^seed ' "$dir/out") || line="seed $seed events $(tail -n 1 "$dir/log" | cut -d ' ' -f 1)"
  [ $code -le 1 ] || crash=' CRASH'
  echo "$line$crash exit $code next $next" | tee "$dir/sum"
}
export -f one
seq "${seeds%:*}" "${seeds#*:}" | xargs -P "$jobs" -I {} bash -c 'one "$@" 2>/dev/null' one {} ${more[@]+"${more[@]}"}

# is_slow FILE: nothing is wrong with a run but that it took long.
is_slow() {
  awk '{ for (i = 1; i < NF; i++) v[$i] = $(i + 1) }
    END { exit !($0 !~ /CRASH/ && v["next"] == 0 && v["broken"] == 0 && v["stalls"] + v["unsettled"] > 0) }' "$1"
}
# Other programs and other runs make a window slow: such a run is judged by what it does alone, if
# slowness counts.
for dir in "$out"/*/; do
  if [ $only -eq 0 ] && is_slow "$dir/sum"; then
    echo "slow; once more, alone:"
    one "$(basename "$dir")" ${more[@]+"${more[@]}"}
  fi
done

echo
for dir in "$out"/*/; do
  [ -e "$dir/err" ] || continue
  if grep -q CRASH "$dir/sum"; then tail -n 100 "$dir/err" | cut -c 1-300; fi
  grep -h '^FAIL\|^STALL\|^QT' "$dir/err" | cut -c 1-200 || true
done | sed 's/; event .*//; s/ (event .*//' | sort | uniq -c | sort -rn | head -n 40
cat "$out"/*/sum | awk -v only="$only" '
  { runs++ }
  { for (i = 1; i < NF; i++) v[$i] = $(i + 1)
    events += v["events"]; broken += v["broken"]; stalls += v["stalls"]; unsettled += v["unsettled"]
    if (v["worst_s"] > worst) worst = v["worst_s"]
    if (v["growth"] > growth) growth = v["growth"]
    if ($0 ~ /CRASH/) crashes++
    if (v["next"] != 0) starts++
    delete v }
  END {
    printf "\n%d seeds, %d events: %d crashes, %d next starts failed, %d broken, %d stalls, %d without rest; ",
      runs, events, crashes, starts, broken, stalls, unsettled
    printf "worst %.2f s, memory at most x %.2f\n", worst, growth
    exit crashes + starts > 0 || (!only && (broken + stalls + unsettled > 0 || growth > 1.5)) }'
