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
    --*=*|--strict|--write-baseline) options="$options $1"; shift ;;
    -*) options="$options $1 $2"; shift 2 ;;
    *) break ;;
  esac
done
for file in "$@"; do
  # Options are words without spaces.
  # shellcheck disable=SC2086
  "$program" check "$file" $options
  status=$?
  [ $status -gt $worst ] && worst=$status
done
exit $worst
