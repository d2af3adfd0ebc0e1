// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/local_bias.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace vqscope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Values at distances first, first + 1, ...
void fill_distances(const RelativeFunction& bias, Index first, std::span<double> out) {
  bias.fill(1 - first - static_cast<Index>(out.size()), out);
  std::ranges::reverse(out);
}

constexpr Index step = 4096;  // distances between two checks of the stop

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Distances beyond the window: the value of the first one, and where values differ from it.
struct Beyond {
  double value = 0;
  double low = infinity;
  double high = -infinity;
  std::optional<Index> first;  ///< first distance with another value
  double first_value = 0;
  bool some_none = false;
};

Beyond look_beyond(const RelativeFunction& bias, Index window, Index length, const std::stop_token& stop) {
  Beyond seen;
  std::vector<double> values;
  for (Index begin = window + 1; begin < length && !stop.stop_requested(); begin += step) {
    values.resize(static_cast<std::size_t>(std::min(step, length - begin)));
    fill_distances(bias, begin, values);
    if (begin == window + 1) seen.value = values.front();
    for (std::size_t i = 0; i < values.size(); ++i) {
      seen.some_none |= std::isnan(values[i]);
      seen.low = std::fmin(seen.low, values[i]);
      seen.high = std::fmax(seen.high, values[i]);
      if (seen.first || same(values[i], seen.value)) continue;
      seen.first = begin + static_cast<Index>(i);
      seen.first_value = values[i];
    }
  }
  return seen;
}

std::string value_text(double value) { return std::isnan(value) ? "no number" : to_text(value, 6); }

}  // namespace

LocalBias local_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop) {
  std::vector<double> values(static_cast<std::size_t>(window + 2));
  for (Index begin = 0; begin < window + 2 && !stop.stop_requested(); begin += step)
    fill_distances(bias, begin,
                   std::span(values).subspan(static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(std::min(step, window + 2 - begin))));
  LocalBias local{.window = window, .values = {values.begin(), values.end() - 1}};
  local.beyond = {static_cast<float>(values.back())};
  return local;
}

LocalBias clipped_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop) {
  LocalBias local = local_bias(bias, window, stop);
  local.beyond = {local.values.back()};
  return local;
}

WindowCheck check_window(const RelativeFunction& bias, Index window, Index length, const std::stop_token& stop) {
  if (window + 1 >= length)
    return {.sentence = fmt::format("no token is farther than {} behind another: the linear form is exact", window)};
  const Beyond seen = look_beyond(bias, window, length, stop);
  if (!seen.first)
    return {.sentence = fmt::format("the bias is {} at every distance beyond {}: the linear form is exact",
                                    value_text(seen.value), window)};
  WindowCheck check{.constant = false, .first = *seen.first};
  check.largest = seen.some_none ? infinity : seen.high - seen.low;
  check.sentence = fmt::format(
      "the bias is not constant beyond distance {}: it is {} at {} and {} at {}{}; only the quadratic form is exact",
      window, value_text(seen.value), window + 1, value_text(seen.first_value), *seen.first,
      seen.some_none ? std::string()
                     : fmt::format(", and changes by {} up to {}", to_text(check.largest, 6), length - 1));
  return check;
}

}  // namespace vqscope
