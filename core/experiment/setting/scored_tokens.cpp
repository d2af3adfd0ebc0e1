// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/scored_tokens.h"

#include "core/encoding/own/own_rotation.h"

namespace vqscope {

ScoredTokens::ScoredTokens(const VqSetting& setting, const VqData& data, const QuantisedKeys& quantised,
                           const std::stop_token& stop)
    : m_data(data), m_quantised(quantised), m_bias(setting.bias), m_block_len(setting.block_len) {
  if (!setting.rotation || setting.order == RotationOrder::rotate_first) return;
  m_rotated_queries = data.queries;
  m_rotated_keys = data.keys;
  m_rotated_codewords = quantised.keys;
  for (auto* rows : {&m_rotated_queries, &m_rotated_keys, &m_rotated_codewords})
    rotate_tokens(*setting.rotation, *rows, data.d_k, 0, stop);
  if (setting.order == RotationOrder::quantise_first_clipped)
    m_far_queries = far_queries(*setting.rotation, data.queries, data.d_k, m_block_len, stop);
}

ComparedAttention ScoredTokens::attention() const {
  const Index d_k = m_data.d_k;
  const StridedMatrix keys = matrix_of(m_data.keys, d_k), codewords = matrix_of(m_quantised.keys, d_k),
                      values = matrix_of(m_data.values, m_data.d_v);
  if (m_rotated_queries.empty()) return {matrix_of(m_data.queries, d_k), keys, codewords, values, m_bias};
  ComparedAttention compared{matrix_of(m_rotated_queries, d_k), matrix_of(m_rotated_keys, d_k),
                             matrix_of(m_rotated_codewords, d_k), values, m_bias};
  if (!m_far_queries.empty()) compared.far = {m_block_len, matrix_of(m_far_queries, d_k), keys, codewords};
  return compared;
}

}  // namespace vqscope
