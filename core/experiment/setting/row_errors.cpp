// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/row_errors.h"

#include "core/attention/rows.h"
#include "core/attention/tensor_view.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index most_rows = 32;
constexpr Index most_products = Index{1} << 24;  // between two checks of the stop: some milliseconds

/// Number of rows per task: fewer if there are many keys.
Index rows_of_a_task(const StridedMatrix& keys) {
  return std::clamp<Index>(most_products / (keys.rows * keys.cols), 1, most_rows);
}

/// Rows of weights over the keys up to the last row's own, and the resulting outputs.
class Weighted {
 public:
  Weighted(const ScoreRows& scores, const ScoredKeys& keys, const StridedMatrix& values, Range rows)
      : m_values(values), m_first(rows.begin), m_stride(rows.end) {
    m_weights.resize(static_cast<std::size_t>(rows.size() * m_stride));
    scores.fill(keys, rows, {0, rows.end}, m_weights.data());
    for (Index row = rows.begin; row < rows.end; ++row)
      m_sees.push_back(std::isfinite(soften(of(row), row + 1, scores.sink())));
  }

  /// Whether the query sees any key.
  bool sees(Index row) const { return m_sees[static_cast<std::size_t>(row - m_first)]; }
  float* of(Index row) { return m_weights.data() + (row - m_first) * m_stride; }

  std::vector<float> output(Index row, const std::stop_token& stop) {
    std::vector<float> output(static_cast<std::size_t>(m_values.cols));
    const Index some = std::max<Index>(most_products / m_values.cols, 1);
    for (Index key = 0; key <= row && !stop.stop_requested(); key += some) {
      const Range keys{key, std::min(key + some, row + 1)};
      best_kernels().add_product({of(row) + key, 1, keys.size(), m_stride}, rows_of(m_values, keys), output.data(),
                                 m_values.cols);
    }
    return output;
  }

 private:
  StridedMatrix m_values;
  Index m_first;
  Index m_stride;
  std::vector<float> m_weights;
  std::vector<bool> m_sees;
};

RowError error_of(Weighted& exact, Weighted& quantised, Index row, const std::stop_token& stop) {
  RowError error;
  if (!exact.sees(row)) {
    error.total_variation = error.output_error = std::numeric_limits<double>::quiet_NaN();
    return error;
  }
  const float* a = exact.of(row);
  const float* b = quantised.of(row);
  double apart = 0;
  for (Index j = 0; j <= row; ++j) apart += std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j]));
  error.total_variation = apart / 2;
  const auto wanted = exact.output(row, stop);
  const auto got = quantised.output(row, stop);
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    error.output_error += std::pow(static_cast<double>(got[c]) - static_cast<double>(wanted[c]), 2);
    error.output_size += std::pow(static_cast<double>(wanted[c]), 2);
  }
  error.output_error = std::sqrt(error.output_error);
  error.output_size = std::sqrt(error.output_size);
  return error;
}

LocalBias whole_bias(const std::shared_ptr<const ChosenBias>& bias) { return bias ? bias->whole() : LocalBias{}; }

}  // namespace

Result<std::vector<RowError>> row_errors(const ComparedAttention& compared, Range rows, const Work& work) {
  const ScoreRows scores(compared);
  std::vector<RowError> errors;
  const Index at_once = rows_of_a_task(compared.keys);
  for (Index begin = rows.begin; begin < rows.end; begin += at_once) {
    if (work.stop.stop_requested()) return cancelled();
    const Range some{begin, std::min(begin + at_once, rows.end)};
    Weighted exact(scores, {compared.keys, compared.far.keys}, compared.values, some);
    if (work.stop.stop_requested()) return cancelled();
    Weighted quantised(scores, {compared.quantised, compared.far.quantised}, compared.values, some);
    for (Index row = some.begin; row < some.end && !work.stop.stop_requested(); ++row)
      errors.push_back(error_of(exact, quantised, row, work.stop));
    if (work.stop.stop_requested()) return cancelled();
    work.report(static_cast<double>(some.end - rows.begin) / static_cast<double>(rows.size()));
  }
  return errors;
}

MeanError mean_of(const std::vector<RowError>& rows) {
  MeanError mean;
  double errors = 0, sizes = 0, seeing = 0;
  for (const RowError& row : rows) {
    if (std::isnan(row.total_variation)) continue;
    ++seeing;
    mean.total_variation += row.total_variation;
    errors += row.output_error * row.output_error;
    sizes += row.output_size * row.output_size;
  }
  if (seeing > 0) mean.total_variation /= seeing;
  if (sizes > 0) mean.output_error = std::sqrt(errors / sizes);
  return mean;
}

ComparedAttention ComparedAttention::first(Index length) const {
  const auto some = [&](const StridedMatrix& rows) { return rows.rows == 0 ? rows : rows_of(rows, {0, length}); };
  return {some(queries), some(keys), some(quantised),
          some(values),  bias,       {far.beyond, some(far.queries), some(far.keys), some(far.quantised)}};
}

ScoreRows::ScoreRows(const ComparedAttention& compared)
    : m_queries(compared.queries),
      m_far(compared.far.queries),
      m_beyond(compared.far.beyond),
      m_chosen(compared.bias),
      m_bias(whole_bias(m_chosen), 0, m_queries.cols) {}

void ScoreRows::fill(const ScoredKeys& keys, Range rows, Range cols, float* out) const {
  const AttentionKernels& kernels = best_kernels();
  const StridedMatrix queries = rows_of(m_queries, rows);
  kernels.row_products(queries, rows_of(keys.near, cols), out, cols.size());
  if (m_far.rows > 0 && keys.far.rows > 0) take_far(keys.far, rows, cols, out);
  Scratch scratch;
  const float* relative = m_bias.relative_scores(queries, scratch, kernels);
  for (Index row = rows.begin; row < rows.end; ++row, out += cols.size()) {
    add_bias(row, cols, relative, out);
    if (relative != nullptr) relative += m_bias.row_size();
  }
}

/// Overwrites the scores of far keys.
void ScoreRows::take_far(const StridedMatrix& keys, Range rows, Range cols, float* out) const {
  const Range far{cols.begin, std::clamp(rows.end - 1 - m_beyond, cols.begin, cols.end)};
  if (far.size() == 0) return;
  std::vector<float> scores(static_cast<std::size_t>(rows.size() * far.size()));
  best_kernels().row_products(rows_of(m_far, rows), rows_of(keys, far), scores.data(), far.size());
  const float* from = scores.data();
  for (Index row = rows.begin; row < rows.end; ++row, out += cols.size(), from += far.size())
    std::copy_n(from, std::clamp<Index>(row - m_beyond - far.begin, 0, far.size()), out);
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

double ScoreRows::product(const ScoredKeys& scored, Index row, Index col) const {
  const bool far = m_far.rows > 0 && scored.far.rows > 0 && row - col > m_beyond;
  const StridedMatrix &queries = far ? m_far : m_queries, &keys = far ? scored.far : scored.near;
  double sum = 0;
  for (Index c = 0; c < keys.cols; ++c)
    sum += static_cast<double>(queries.data[row * queries.stride + c]) *
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
