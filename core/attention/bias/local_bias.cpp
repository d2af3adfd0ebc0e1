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

/// One head's part of an array with `size` numbers per head, or shared by all heads; empty if `all`
/// is.
std::span<const float> part_of(const std::vector<float>& all, Index head, Index size) {
  const auto count = static_cast<std::size_t>(size);
  if (all.size() <= count) return all;
  return std::span(all).subspan(static_cast<std::size_t>(head) * count, count);
}

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

HeadBias::HeadBias(const LocalBias& bias, Index head, Index d_k) : m_window(bias.window), m_d_k(d_k) {
  const auto values = part_of(bias.values, head, m_window + 1);
  m_values.assign(values.rbegin(), values.rend());
  if (!bias.beyond.empty()) m_beyond = part_of(bias.beyond, head, 1).front();
  if (!bias.sinks.empty()) m_sink = part_of(bias.sinks, head, 1).front();
  const auto relative = part_of(bias.relative, head, (m_window + 1) * d_k);
  const auto offset = part_of(bias.offset, head, d_k);
  m_relative.resize(relative.size());
  for (Index x = 0; x <= m_window && !relative.empty(); ++x) {
    const float* vector = relative.data() + (m_window - x) * d_k;
    std::copy_n(vector, d_k, m_relative.data() + x * d_k);
    double product = 0;
    for (std::size_t c = 0; c < offset.size(); ++c)
      product += static_cast<double>(offset[c]) * static_cast<double>(vector[c]);
    m_offset.push_back(static_cast<float>(product));
  }
}

const float* HeadBias::relative_scores(const StridedMatrix& queries, Scratch& scratch,
                                       const AttentionKernels& kernels) const {
  if (m_relative.empty()) return nullptr;
  float* scores = scratch.floats(queries.rows * row_size());
  kernels.row_products(queries, {m_relative.data(), row_size(), m_d_k, m_d_k}, scores, row_size());
  for (Index i = 0; i < queries.rows; ++i) kernels.add(scores + i * row_size(), m_offset.data(), row_size());
  return scores;
}

void HeadBias::add(Index query, Range keys, const float* relative, const AttentionKernels& kernels,
                   float* scores) const {
  const Index nearest_far = query - m_window;  // the first key within the window
  const Index near = std::clamp(nearest_far, keys.begin, keys.end);
  if (m_beyond != 0)
    for (Index j = keys.begin; j < near; ++j) scores[j - keys.begin] += m_beyond;
  if (near == keys.end) return;
  float* within = scores + (near - keys.begin);
  const Index first = near - nearest_far;  // index in the table
  if (!m_values.empty()) kernels.add(within, m_values.data() + first, keys.end - near);
  if (relative != nullptr) kernels.add(within, relative + first, keys.end - near);
}

}  // namespace vqscope
