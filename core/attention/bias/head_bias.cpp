// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/head_bias.h"

#include <algorithm>

namespace vqscope {
namespace {

/// One head's part of an array with `size` numbers per head, or shared by all heads; empty if `all`
/// is.
std::span<const float> part_of(const std::vector<float>& all, Index head, Index size) {
  const auto count = static_cast<std::size_t>(size);
  if (all.size() <= count) return all;
  return std::span(all).subspan(static_cast<std::size_t>(head) * count, count);
}

}  // namespace

HeadBias::HeadBias(const LocalBias& bias, Index head, Index d_k) : m_window(bias.window), m_d_k(d_k) {
  const auto values = part_of(bias.values, head, m_window + 1);
  m_values.assign(values.rbegin(), values.rend());
  if (!bias.beyond.empty()) m_beyond = part_of(bias.beyond, head, 1).front();
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
