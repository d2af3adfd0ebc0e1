// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/score_rows.h"

#include "core/attention/key_rows.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>

namespace vqscope {
namespace {

LocalBias whole_bias(const std::shared_ptr<const ChosenBias>& bias) { return bias ? bias->whole() : LocalBias{}; }

}  // namespace

ScoreRows::ScoreRows(const StridedMatrix& queries, std::shared_ptr<const ChosenBias> bias)
    : m_queries(queries), m_chosen(std::move(bias)), m_bias(whole_bias(m_chosen), 0, queries.cols) {}

void ScoreRows::fill(const StridedMatrix& keys, Range rows, Range cols, float* out) const {
  const AttentionKernels& kernels = best_kernels();
  const StridedMatrix queries = rows_of(m_queries, rows);
  kernels.row_products(queries, rows_of(keys, cols), out, cols.size());
  Scratch scratch;
  const float* relative = m_bias.relative_scores(queries, scratch, kernels);
  for (Index row = rows.begin; row < rows.end; ++row, out += cols.size()) {
    add_bias(row, cols, relative, out);
    if (relative != nullptr) relative += m_bias.row_size();
  }
}

void ScoreRows::add_bias(Index row, Range cols, const float* relative, float* scores) const {
  const Range seen{cols.begin, std::clamp(row + 1, cols.begin, cols.end)};
  if (!m_bias.none() && seen.size() > 0) m_bias.add(row, seen, relative, best_kernels(), scores);
  std::fill(scores + seen.size(), scores + cols.size(), hidden_score);
  const auto mask = m_chosen ? m_chosen->mask() : nullptr;
  if (!mask) return;
  std::vector<Range> visible;
  mask->row(row, visible);
  hide_others(visible, cols, scores);
}

double ScoreRows::product(const StridedMatrix& keys, Index row, Index col) const {
  double sum = 0;
  for (Index c = 0; c < keys.cols; ++c)
    sum += static_cast<double>(m_queries.data[row * m_queries.stride + c]) *
           static_cast<double>(keys.data[col * keys.stride + c]);
  return sum;
}

double ScoreRows::bias(Index row, Index col) const {
  float sum = 0;
  Scratch scratch;
  add_bias(row, {col, col + 1}, m_bias.relative_scores(rows_of(m_queries, {row, row + 1}), scratch, best_kernels()),
           &sum);
  return static_cast<double>(sum);
}

}  // namespace vqscope
