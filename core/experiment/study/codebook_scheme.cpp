// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/codebook_scheme.h"

#include "core/curve/rope/rope_series.h"
#include "core/encoding/phase/rope_table.h"
#include "core/experiment/setting/row_errors.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

Index training_length(const ParameterValues& values) { return values.integer("original_max_position_embeddings"); }

/// x [2 · pairs], halves split.
void rotate_row(float* x, const float* cos, const float* sin, Index pairs) {
  for (Index i = 0; i < pairs; ++i) {
    const float first = x[i];
    const float second = x[i + pairs];
    x[i] = first * cos[i] - second * sin[i];
    x[i + pairs] = second * cos[i] + first * sin[i];
  }
}

}  // namespace

double code_drift(const std::vector<Index>& a, const std::vector<Index>& b) {
  assert(a.size() == b.size());
  double all_a = 0;
  double all_b = 0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    all_a += static_cast<double>(a[s]);
    all_b += static_cast<double>(b[s]);
  }
  double apart = 0;
  for (std::size_t s = 0; s < a.size(); ++s)
    apart += std::abs(static_cast<double>(a[s]) / all_a - static_cast<double>(b[s]) / all_b);
  return apart / 2;
}

void rotate_rows(std::vector<float>& rows, const RopeScaling& scaling, Index period, const std::stop_token& stop) {
  constexpr Index some = 1024;  // number of positions at a time
  const auto frequencies = rope_frequencies(scaling);
  const auto rates = turns_of(frequencies.inv_freq);
  const auto pairs = static_cast<Index>(rates.size());
  const RopeTable table(rates, frequencies.attention_factor);
  const Index all = static_cast<Index>(rows.size()) / scaling.head_dim;
  const Index positions = std::min(period, all);
  std::vector<float> cos(static_cast<std::size_t>(std::min(some, positions) * pairs));
  std::vector<float> sin(cos.size());
  for (Index begin = 0; begin < positions && !stop.stop_requested(); begin += some) {
    const Index count = std::min(some, positions - begin);
    table.fill(begin, count, cos.data(), sin.data());
    for (Index first = begin; first < all; first += period)
      for (Index row = first; row < std::min(first + count, all); ++row)
        rotate_row(rows.data() + row * scaling.head_dim, cos.data() + (row - first) * pairs,
                   sin.data() + (row - first) * pairs, pairs);
  }
}

RopeScaling scaling_at(const ParameterValues& values, Index d_k, const std::string& scheme, Index length) {
  RopeScaling scaling;
  scaling.rope_type = scheme;
  scaling.head_dim = d_k;
  scaling.rope_theta = values.real("rope_theta");
  scaling.original_max_position_embeddings = training_length(values);
  scaling.seq_len = length;
  scaling.factor = values.real("factor");
  if (scaling.factor == 0 && scheme == "dynamic") scaling.factor = 1;  // dynamic follows seq_len by itself
  if (scaling.factor == 0)
    scaling.factor = std::max(1.0, static_cast<double>(length) / static_cast<double>(training_length(values)));
  return scaling;
}

Result<CodebookScheme> CodebookScheme::learn(const ParameterValues& values, const VqSetting& setting,
                                             const VqData& data, std::string name, const Work& work) {
  CodebookScheme scheme(values, setting, data, std::move(name));
  std::vector<float> train = data.train;
  const Index trained = training_length(values);
  if (scheme.rotated()) rotate_rows(train, scaling_at(values, data.d_k, "default", trained), trained, work.stop);
  auto learnt = learn_vq(setting, matrix_of(train, data.d_k), work);
  if (!learnt) return learnt.error();
  scheme.m_codewords = std::move(learnt->codewords);
  scheme.m_trained =
      code_counts(quantise(matrix_of(train, data.d_k), scheme.codewords(), work.stop).codes, setting.n_code);
  if (work.stop.stop_requested()) return cancelled();
  return scheme;
}

Result<double> CodebookScheme::measure(Index length, const std::string& what,
                                       const std::shared_ptr<const ChosenBias>& bias, const Work& work) const {
  const auto keys = some(m_data.keys, length, work.stop);
  const Range last{std::max<Index>(length - training_length(m_values), 0), length};
  if (what == "commit_loss")
    return quantise(rows_of(matrix_of(keys, m_data.d_k), last), codewords(), work.stop).commit_loss;
  const auto quantised = quantise(matrix_of(keys, m_data.d_k), codewords(), work.stop);
  if (what == "code_drift") {
    const std::vector<std::int32_t> codes(quantised.codes.begin() + last.begin, quantised.codes.end());
    return code_drift(m_trained, code_counts(codes, m_setting.n_code));
  }
  const auto queries = some(m_data.queries, length, work.stop);
  const auto rows =
      row_errors({matrix_of(queries, m_data.d_k), matrix_of(keys, m_data.d_k), matrix_of(quantised.keys, m_data.d_k),
                  rows_of(matrix_of(m_data.values, m_data.d_v), {0, length}), bias},
                 {std::max<Index>(length - most_queries, 0), length}, work);
  if (!rows) return rows.error();
  const MeanError mean = mean_of(*rows);
  return what == "total_variation" ? mean.total_variation : mean.output_error;
}

/// The first rows, encoded by the scheme for a sequence of that length.
std::vector<float> CodebookScheme::some(const std::vector<float>& rows, Index length,
                                        const std::stop_token& stop) const {
  std::vector<float> first(rows.begin(), rows.begin() + length * m_data.d_k);
  if (rotated()) rotate_rows(first, scaling_at(m_values, m_data.d_k, m_name, length), length, stop);
  return first;
}

}  // namespace vqscope
