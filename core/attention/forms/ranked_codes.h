// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/form_parts.h"

#include <vector>

namespace vqscope {

/// Renumbers the codes of one key head in the order in which its keys have them first. What the keys
/// up to a token have is then the first rows of the codebook and of the cache, and codes that no key
/// has cost nothing.
class RankedCodes {
 public:
  /// `codebook` must outlive this.
  RankedCodes(const StridedMatrix& codebook, const LinearPlan& plan);

  /// Replaces the codes of the keys of some blocks by ranks; the keys before them come first. -1
  /// stays. `codes` are those of all keys.
  void rank(std::int32_t* codes, const LinearPlan& plan, Range blocks);
  /// Replaces all ranks by the codes again.
  void restore(std::int32_t* ranks) const;

  /// How many codes the keys before a block have.
  Index used_before(Index block) const { return m_used[static_cast<std::size_t>(block)]; }
  /// Their codewords by rank.
  StridedMatrix codewords_before(Index block) const {
    return {m_codewords.data(), used_before(block), m_codebook.cols, m_codebook.cols};
  }

 private:
  std::int32_t rank_of(std::int32_t code);

  StridedMatrix m_codebook;
  std::vector<std::int32_t> m_rank_of;  ///< by code; -1: no key has it yet
  std::vector<std::int32_t> m_codes;    ///< by rank
  std::vector<float> m_codewords;       ///< by rank, with room for all
  std::vector<Index> m_used;            ///< before each block and after the last
  Index m_keys = 0;                     ///< that have ranks
};

}  // namespace vqscope
