# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run and nightly: the repository's root as working directory, the packages, and what both do.
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." || exit
# shellcheck source=app/prepare.sh
source app/prepare.sh
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
CTEST_PARALLEL_LEVEL=$(nproc)
export CTEST_PARALLEL_LEVEL
export VQSCOPE_BUILD_DIR="$root/build/ci"
asan="$root/build/asan"

step() { printf "\n== %s (after %d s)\n" "$*" "$SECONDS"; }

prepare_machine() {
  step packages
  install_missing "${packages[@]}" git clang-format libbenchmark-dev clang-14 libclang-rt-14-dev clang-tidy-14 lld xvfb \
    xdotool codespell shellcheck python3 parallel snakemake appstream desktop-file-utils man-db shared-mime-info zsh fish \
    python3-numpy python3-pip python3-pytest python3-setuptools python3-wheel
}

# build_release: tests/run.sh builds what this configures. First without the lab: most of what is
# built then stays.
build_release() {
  local release=(cmake -S . -B "$VQSCOPE_BUILD_DIR" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVQSCOPE_UNITY=ON -DVQSCOPE_WERROR=ON)
  step "release without the lab: build, tests of widgets and app"
  "${release[@]}" -DVQSCOPE_LAB=OFF -DVQSCOPE_BUILD_BENCH=OFF >/dev/null
  cmake --build "$VQSCOPE_BUILD_DIR"
  ctest --test-dir "$VQSCOPE_BUILD_DIR" --output-on-failure --no-tests=error -L '^(widgets|app)/'
  "${release[@]}" -DVQSCOPE_LAB=ON -DVQSCOPE_BUILD_BENCH=ON >/dev/null
}

# build_asan TARGET...: first the program without Qt, with clang, whose commands are tested, and the
# fuzz targets.
build_asan() {
  step "asan without Qt: the commands with clang, their tests, and the fuzz targets"
  cmake --preset asan -DVQSCOPE_BUILD_GUI=OFF >/dev/null
  cmake --build --preset asan --target vqscope app_tests capture_fuzz mask_language_fuzz tensor_file_fuzz
  ctest --preset asan -L '^app/'
  step "asan: the window and the tests"
  cmake --preset asan -DVQSCOPE_BUILD_GUI=ON >/dev/null
  cmake --build --preset asan --target "$@" selftest one_more_bias_tests vqscope_monkey
}

# fuzz LIMIT TARGET MAX_LEN [OPTIONS...]: LIMIT is -runs=N or -max_total_time=SECONDS; the seeds are
# in the folder of the target's name.
fuzz() {
  local limit=$1 target=$2 max_len=$3
  shift 3
  mkdir -p "$asan/corpus/$target"
  "$asan/tests/fuzz/${target}_fuzz" "$limit" -max_len="$max_len" -timeout=10 -artifact_prefix="$asan/" \
    -print_final_stats=1 "$@" "$asan/corpus/$target" "tests/fuzz/$target"
}

# faults KILLS ALLOCATIONS: files while calls fail and the program is killed.
faults() {
  local target
  for target in export session layout; do
    "$VQSCOPE_BUILD_DIR/tests/faults/faults" --target "$target" --kills "$1" --allocations "$2"
  done
}

# hostile SETTINGS INPUTS: random settings of every method, and inputs with something wrong in them.
hostile() {
  "$VQSCOPE_BUILD_DIR/tests/random_settings" --seed 1 --count "$1"
  QT_LOGGING_RULES="qt.gui.imageio=false" "$VQSCOPE_BUILD_DIR/tests/mutate/mutate" --seed 1 --count "$2" --jobs "$(nproc)"
}
