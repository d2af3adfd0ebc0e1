// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/form_parts.h"

#include "core/attention/tensor_view.h"

#include <algorithm>

namespace vqscope {

void scores_of_keys(const AttentionInput& input, AttentionForm form, Index head, const TensorView& keys, Range queries,
                    Range cols, const AttentionKernels& kernels, ProductScratch& scratch, float* out) {
  const Index kv_head = head / (input.q.heads / keys.heads);
  const auto rows = [&](const TensorView& of, Range some) {
    return visible_rows(of, kv_head, some, input.key_valid, scratch.keys);
  };
  const LateRotation& rotation = input.rotation;
  if (rotation.none()) {
    kernels.row_products(input.q.matrix(head, queries), rows(keys, cols), out, cols.size());
    return;
  }
  const TensorView& rotated = form == AttentionForm::exact ? rotation.k : rotation.codewords;
  kernels.row_products(rotation.q.matrix(head, queries), rows(rotated, cols), out, cols.size());
  const Range far{cols.begin, std::clamp(queries.end - 1 - rotation.window, cols.begin, cols.end)};
  if (!rotation.is_clipped() || far.size() == 0) return;
  float* scores = scratch.far.floats(queries.size() * far.size());
  kernels.row_products(rotation.far_q.matrix(head, queries), rows(keys, far), scores, far.size());
  const float* from = scores;
  for (Index query = queries.begin; query < queries.end; ++query, out += cols.size(), from += far.size())
    std::copy_n(from, std::clamp<Index>(query - rotation.window - far.begin, 0, far.size()), out);
}

HeadScores::HeadScores(const AttentionInput& input, const AttentionOptions& options, Index head)
    : m_input(input), m_options(options), m_head(head), m_bias(input.bias, head, input.q.cols) {}

Range HeadScores::seen(Index query, bool near_alone) const {
  if (!m_options.causal) return {0, m_input.k.rows};
  if (!near_alone) return {0, query + 1};
  const Index block = query / m_options.block_len - explicit_blocks(m_input, m_options);
  return {std::max<Index>(0, block * m_options.block_len), query + 1};
}

void HeadScores::fill(const TensorView& keys, Range queries, Range cols, bool near_alone, ScoreScratch& scratch,
                      float* out) const {
  const AttentionKernels& kernels = best_kernels();
  const StridedMatrix q = m_input.q.matrix(m_head, queries);
  const auto valid = m_input.key_valid;
  scores_of_keys(m_input, m_options.form, m_head, keys, queries, cols, kernels, scratch.products, out);
  const float* relative = m_bias.relative_scores(q, scratch.relative, kernels);
  for (Index query = queries.begin; query < queries.end; ++query, out += cols.size()) {
    Range own = common(seen(query, near_alone), cols);
    if (own.size() < 0) own = {cols.begin, cols.begin};
    float* first = out + (own.begin - cols.begin);
    if (!m_bias.none() && own.size() > 0) m_bias.add(query, own, relative, kernels, first);
    if (relative) relative += m_bias.row_size();
    std::fill(out, first, hidden_score);
    std::fill(first + own.size(), out + cols.size(), hidden_score);
    if (m_input.mask) {
      m_input.mask->row(query, scratch.visible);
      hide_others(scratch.visible, cols, out);
    }
    for (Index j = cols.begin; j < cols.end && !valid.empty(); ++j)
      if (valid[static_cast<std::size_t>(j)] == 0) out[j - cols.begin] = hidden_score;
  }
}

}  // namespace vqscope
