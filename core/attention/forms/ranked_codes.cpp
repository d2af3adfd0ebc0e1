// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/ranked_codes.h"

#include <algorithm>

namespace vqscope {

RankedCodes::RankedCodes(const StridedMatrix& codebook, const LinearPlan& plan)
    : m_codebook(codebook),
      m_rank_of(static_cast<std::size_t>(codebook.rows), -1),
      m_codewords(static_cast<std::size_t>(codebook.rows * codebook.cols)),
      m_used(static_cast<std::size_t>(plan.blocks + 1)) {}

void RankedCodes::rank(std::int32_t* codes, const LinearPlan& plan, Range blocks) {
  for (Index block = blocks.begin; block < blocks.end; ++block) {
    const Range keys = plan.tokens({block, block + 1});
    for (Index j = keys.begin; j < keys.end; ++j)
      if (codes[j] >= 0) codes[j] = rank_of(codes[j]);
    m_used[static_cast<std::size_t>(block + 1)] = static_cast<Index>(m_codes.size());
    m_keys = keys.end;
  }
}

void RankedCodes::restore(std::int32_t* ranks) const {
  for (Index j = 0; j < m_keys; ++j)
    if (ranks[j] >= 0) ranks[j] = m_codes[static_cast<std::size_t>(ranks[j])];
}

std::int32_t RankedCodes::rank_of(std::int32_t code) {
  std::int32_t& rank = m_rank_of[static_cast<std::size_t>(code)];
  if (rank >= 0) return rank;
  rank = static_cast<std::int32_t>(m_codes.size());
  m_codes.push_back(code);
  std::copy_n(m_codebook.data + code * m_codebook.stride, m_codebook.cols, m_codewords.data() + rank * m_codebook.cols);
  return rank;
}

}  // namespace vqscope
