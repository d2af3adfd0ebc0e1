// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"

#include <stop_token>

namespace vqscope {

/// Heads of one type. The total output width is the same for every type, so that types can be
/// compared.
struct HeadShape {
  HeadType type = HeadType::shga;
  Index heads = 1;
  Index kv_heads = 1;
  Index d_k = 128;  ///< per head
  Index d_v = 512;  ///< per head
};

/// shga: one head with values `d_v` wide and a gate. mqa, mha: num_heads, which divides d_v, with d_v / num_heads each;
/// keys and values are one head's in mqa.
HeadShape head_shape(HeadType type, Index num_heads, Index d_k, Index d_v);

/// Bytes that HeadTokens holds.
double head_tokens_bytes(const HeadShape& shape, Index length, Index n_code);

/// Tokens for time measurements: normal numbers, repeating the first few thousand tokens, because
/// time does not depend on them. Scores have about the standard deviation of the paper's. Codewords
/// are sampled like keys.
class HeadTokens {
 public:
  HeadTokens(const HeadShape& shape, Index length, Index n_code, std::uint64_t seed, const std::stop_token& stop = {});

  /// Views of this object's numbers.
  AttentionInput input() const;

 private:
  HeadShape m_shape;
  Index m_length;
  Index m_n_code;
  std::vector<float> m_q, m_k, m_v, m_gate, m_codebook;
};

}  // namespace vqscope
