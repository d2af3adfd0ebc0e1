#!/bin/sh
# check_masks.sh [OPTIONS of vqscope check] FILE...: lints each mask. Options come first, a value is
# behind = or the next word. The exit status is the worst of all files.
# VQSCOPE names the program.
program=${VQSCOPE:-vqscope}
options=
worst=0
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    --*=*|--strict|--json|--write-baseline|--quiet|-q) options="$options $1"; shift ;;
    -*) options="$options $1 ${2-}"; shift; [ $# -eq 0 ] || shift ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "check_masks.sh needs the masks to check" >&2; exit 2; }
for file in "$@"; do
  # Options are words without spaces.
  # shellcheck disable=SC2086
  "$program" check "$file" $options
  status=$?
  [ $status -gt $worst ] && worst=$status
done
exit $worst
