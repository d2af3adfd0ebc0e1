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
    xdotool codespell shellcheck python3 parallel snakemake
}

build_release() {
  cmake -S . -B "$VQSCOPE_BUILD_DIR" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVQSCOPE_UNITY=ON -DVQSCOPE_WERROR=ON \
    -DVQSCOPE_BUILD_BENCH=ON >/dev/null
}

# build_asan TARGET...: first the core alone, without Qt and for a second compiler, and the fuzz targets.
build_asan() {
  step "asan: the core alone, with clang, and its fuzz targets"
  cmake --preset asan -DVQSCOPE_BUILD_GUI=OFF -DVQSCOPE_BUILD_TESTS=OFF >/dev/null
  cmake --build --preset asan
  step "asan: the window and the tests"
  cmake --preset asan -DVQSCOPE_BUILD_GUI=ON -DVQSCOPE_BUILD_TESTS=ON >/dev/null
  cmake --build --preset asan --target "$@" selftest one_more_bias_tests vqscope_monkey
}

# fuzz LIMIT TARGET MAX_LEN [OPTIONS...]: LIMIT is -runs=N or -max_total_time=SECONDS; the seeds are in the folder of the
# target's name.
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
