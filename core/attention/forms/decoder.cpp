// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/decoder.h"

#include "core/attention/forms/attention_forms.h"

#include <algorithm>

namespace vqscope {

Result<VqDecoder> VqDecoder::make(const TensorView& codebook, Index heads, Index d_v, const LocalBias& bias,
                                  const AttentionOptions& options) {
  // Checks one token in place of all future tokens.
  const std::vector<float> queries(static_cast<std::size_t>(heads * codebook.cols));
  const std::vector<float> value(static_cast<std::size_t>(d_v));
  AttentionInput input;
  input.q = {queries, heads, 1, codebook.cols};
  input.k = {std::span(queries).first(static_cast<std::size_t>(codebook.cols)), 1, 1, codebook.cols};
  input.v = {value, 1, 1, d_v};
  input.codebook = codebook;
  input.bias = bias;
  AttentionOptions own = options;
  own.form = AttentionForm::vq_linear;
  own.causal = true;
  if (auto checked = check_attention(input, own); !checked) return checked.error();
  return VqDecoder(codebook, heads, d_v, bias, own);
}

VqDecoder::VqDecoder(const TensorView& codebook, Index heads, Index d_v, const LocalBias& bias,
                     const AttentionOptions& options)
    : m_options(options),
      m_kernels(options.kernels == nullptr ? &best_kernels() : options.kernels),
      m_quantiser(codebook.matrix(0), *m_kernels),
      m_d_v(d_v),
      m_before(explicit_blocks(bias, options)),
      m_states(2, codebook.rows, d_v) {
  for (Index head = 0; head < heads; ++head) m_biases.emplace_back(bias, head, codebook.cols);
}

/// The oldest block leaves the window when a new one begins.
void VqDecoder::begin_block() {
  const Index block = m_length / m_options.block_len;
  if (block <= m_before) return;
  if (m_options.agg_cache) {
    add_keys({m_codes.data(), m_values.data(), m_options.block_len}, m_states, m_state, 1 - m_state);
    m_state = 1 - m_state;
  }
  m_codes.erase(m_codes.begin(), m_codes.begin() + m_options.block_len);
  m_values.erase(m_values.begin(), m_values.begin() + m_options.block_len * m_d_v);
  m_first += m_options.block_len;
}

void VqDecoder::step(const float* queries, const float* key, const float* value, float* out) {
  if (m_length % m_options.block_len == 0) begin_block();
  const StridedMatrix& codebook = m_quantiser.codebook();
  m_codes.emplace_back();
  m_quantiser.encode({key, 1, codebook.cols, codebook.cols}, nullptr, m_worker.scores, &m_codes.back());
  m_values.insert(m_values.end(), value, value + m_d_v);
  SeenKeys seen;
  seen.codewords = codebook;
  if (m_options.agg_cache && m_first > 0) {
    seen.cache = &m_states;
    seen.cached_codes = codebook.rows;
  }
  seen.state = m_state;
  seen.first = m_first;
  seen.codes = m_codes.data();
  seen.values = {m_values.data(), kept(), m_d_v, m_d_v};
  for (std::size_t head = 0; head < m_biases.size(); ++head, out += m_d_v, queries += codebook.cols) {
    std::fill_n(out, m_d_v, 0.0F);
    linear_block({queries, 1, codebook.cols, codebook.cols}, m_length, seen, m_biases[head], *m_kernels, m_worker, {},
                 out);
  }
  ++m_length;
}

}  // namespace vqscope
