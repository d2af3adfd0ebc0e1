// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/core/seconds_since.h"

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace vqscope::bench {

inline constexpr std::int64_t view_side = 1024;  ///< pixels of a viewport's side

/// Fills a 4 MiB image from palette indices: what any viewport costs that only colours what it has.
class PaletteFill {
 public:
  PaletteFill() : m_indices(view_side * view_side), m_image(m_indices.size()) {
    for (std::size_t i = 0; i < m_indices.size(); ++i) m_indices[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13);
    for (std::size_t i = 0; i < m_colours.size(); ++i) m_colours[i] = 0xff000000U + static_cast<std::uint32_t>(i);
  }

  /// Seconds of one fill.
  double run() {
    const auto start = std::chrono::steady_clock::now();
    const std::uint8_t* indices = m_indices.data();
    const std::uint32_t* colours = m_colours.data();
    std::uint32_t* image = m_image.data();
    for (std::size_t i = 0; i < m_image.size(); ++i) image[i] = colours[indices[i]];
    benchmark::DoNotOptimize(image);
    benchmark::ClobberMemory();
    return seconds_since(start);
  }

 private:
  std::vector<std::uint8_t> m_indices;
  std::vector<std::uint32_t> m_image;
  std::array<std::uint32_t, 256> m_colours;
};

/// Runs `body` and `baseline` in turn and reports how many times the baseline's time body takes:
/// the machine drifts, a ratio within one run does not.
template <class Body, class Baseline>
void compare(benchmark::State& state, const char* counter, const Body& body, const Baseline& baseline) {
  double body_seconds = 0;
  double baseline_seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const double seconds = seconds_since(start);
    state.SetIterationTime(seconds);
    body_seconds += seconds;
    baseline_seconds += baseline();
  }
  state.counters[counter] = body_seconds / baseline_seconds;
}

}  // namespace vqscope::bench
