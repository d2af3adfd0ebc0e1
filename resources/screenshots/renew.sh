#!/bin/sh
# Renews pictures of the README from a built program, with its default settings.
# usage: resources/screenshots/renew.sh PROGRAM [PAGE...]     needs Xvfb, openbox, xdotool and ImageMagick
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?the built program}")
shift
[ $# -gt 0 ] || set -- config precision survey vq memory experiments
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
  printf '{"vqscope": 1, "current": "%s", "workspaces": [%s]}\n' "$page" \
    "$([ "$page" != experiments ] || echo '{"id": "experiments", "method": "vq_extrapolation"}')" > "$opened"
  if [ "$page" = config ]; then
    opened="$work/deepseek-v3.json"
    cat > "$opened" <<'CONFIG'
{
  "model_type": "deepseek_v3",
  "hidden_size": 7168,
  "num_attention_heads": 128,
  "num_hidden_layers": 61,
  "qk_nope_head_dim": 128,
  "qk_rope_head_dim": 64,
  "v_head_dim": 128,
  "max_position_embeddings": 163840,
  "rope_theta": 10000,
  "rope_scaling": {
    "type": "yarn",
    "factor": 40,
    "original_max_position_embeddings": 4096,
    "beta_fast": 32,
    "beta_slow": 1,
    "mscale": 1.0,
    "mscale_all_dim": 1.0
  }
}
CONFIG
  fi
  "$program" "$opened" &
  shown=$!
  sleep 4
  window=$(xdotool search --onlyvisible --name VQScope | head -1)
  xdotool windowsize "$window" 1440 900 windowmove "$window" 5 25
  sleep 2
  # An experiment is measured on request: its Run button stands above the charts, left.
  [ "$page" != experiments ] || xdotool mousemove --window "$window" 336 85 click 1 mousemove --window "$window" 700 500
  sleep "${RENEW_SECONDS:-15}"
  import -window root "$work/shot.png"
  corner=$(xwininfo -id "$window" | sed -n 's/.*Absolute upper-left [XY]: *//p' | paste -sd+)
  convert "$work/shot.png" -crop "1440x900+$corner" +repage -filter Lanczos -resize 1080x675! -colors 255 -strip "PNG8:$here/$page.png"
  kill -KILL $shown
  wait $shown || true
done
