#!/bin/sh
# Renews pictures of the README from a built program, with its default settings.
# usage: resources/screenshots/renew.sh PROGRAM [PAGE...]     needs Xvfb, openbox, xdotool and ImageMagick
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?the built program}")
shift
[ $# -gt 0 ] || set -- start gallery model masks positions vq experiments
display=${RENEW_DISPLAY:-:110}
work=$(mktemp -d)
Xvfb "$display" -screen 0 1500x1000x24 >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
export DISPLAY="$display" QT_QPA_PLATFORM=xcb
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" XDG_DATA_HOME="$work/data"
sleep 2
openbox >/dev/null 2>&1 &
manager=$!
trap 'kill $manager $server; rm -rf "$work"' EXIT
sleep 1
for page in "$@"; do
  rm -rf "$work/config" "$work/state" "$work/data"
  opened="$work/page.vqscope"
  method=""
  case "$page" in
    gallery) current=start ;;
    positions) current=rotary ;;
    *) current=$page ;;
  esac
  [ "$page" != experiments ] || method='{"id": "experiments", "method": "vq_extrapolation"}'
  [ "$page" != masks ] || method='{"id": "masks", "values": {"mask": "packed", "q_length": 512, "sliding_window": 96}}'
  printf '{"vqscope": 3, "current": "%s", "workspaces": [%s]}\n' "$current" "$method" > "$opened"
  [ "$page" != model ] || opened="$here/../configs/gemma-3-27b.json"
  # An experiment is measured on request; a kept run is shown at once.
  [ "$page" != experiments ] || "$program" run vq_extrapolation --out "$work/e.csv"
  # A fresh start shows the first page, without recent files.
  [ "$current" != start ] || opened=""
  "$program" ${opened:+"$opened"} &
  shown=$!
  sleep 4
  window=$(xdotool search --onlyvisible --name VQScope | head -1)
  xdotool windowsize "$window" 1440 900 windowmove "$window" 5 25
  sleep 2
  [ "$page" != gallery ] || xdotool mousemove --window "$window" 600 500 click --repeat 30 --delay 40 5
  sleep "${RENEW_SECONDS:-15}"
  import -window root "$work/shot.png"
  corner=$(xwininfo -id "$window" | sed -n 's/.*Absolute upper-left [XY]: *//p' | paste -sd+)
  convert "$work/shot.png" -crop "1440x900+$corner" +repage -filter Lanczos -resize 1080x675! -colors 255 -strip "PNG8:$here/$page.png"
  kill -KILL $shown
  wait $shown || true
done
