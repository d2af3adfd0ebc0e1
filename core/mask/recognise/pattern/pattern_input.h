// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/mask_shape.h"

namespace vqscope {

/// The rows of a mask with what is already known: where its queries stand, its documents, padding
/// and blind queries.
class PatternInput {
 public:
  /// `padding_at_zero`: padding tokens have position 0, as position_ids have it; else positions go
  /// on.
  PatternInput(const MaskRows& rows, MaskShape frame, bool padding_at_zero, CountBudget& budget);

  const MaskRows& rows() const { return m_rows; }
  const MaskShape& frame() const { return m_frame; }
  Extent extent() const { return m_rows.extent(); }
  Index past_len() const { return m_frame.past_len; }
  bool has_documents() const { return !m_frame.document_starts.empty(); }
  /// How many tokens there are, with those behind the last key.
  Index tokens() const { return std::max(extent().cols, extent().rows + past_len()); }

  /// The document with the most queries, by which one learns what holds in each.
  Range document() const { return m_document; }

  /// "q_idx + 3", "kv_idx".
  const std::string& token() const { return m_token; }
  const std::string& key() const { return m_key; }
  /// The same as positions within a document: "(kv_idx - document_start[kv_idx])".
  const std::string& token_position() const { return m_token_position; }
  const std::string& key_position() const { return m_key_position; }

  /// Calls visit(token, row) for every query of some tokens that sees a key. False once the budget
  /// is over.
  template <class Visit>
  bool for_each_row(Range tokens, const Visit& visit) const {
    const Range queries = common({tokens.begin - past_len(), tokens.end - past_len()}, {0, extent().rows});
    for (Index q = queries.begin; q < queries.end; ++q) {
      const auto row = m_rows.row(q);
      if (!m_budget.spend(8 + 4 * static_cast<Index>(row.size()))) return false;
      if (!row.empty()) visit(q + past_len(), row);
    }
    return true;
  }

 private:
  const MaskRows& m_rows;
  MaskShape m_frame;
  CountBudget& m_budget;
  Range m_document;
  std::string m_token;
  std::string m_key = "kv_idx";
  std::string m_token_position;
  std::string m_key_position;
};

/// "12 tokens", "1 token".
std::string tokens_text(Index count);
/// Which proposes patterns for the rows, without a look at whether they hold.
using PatternMaker = void (*)(const PatternInput& input, std::vector<MaskPattern>& out);

void propose_blocks(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_uneven_blocks(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_spans(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_strides(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_groups(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_global_tokens(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_summaries(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_windows(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_branches(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_neighbourhoods(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_axes(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_block_tables(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_block_diffusion(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_draft_blocks(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_open_padding(const PatternInput& input, std::vector<MaskPattern>& out);
void propose_draft_tree(const PatternInput& input, std::vector<MaskPattern>& out);

}  // namespace vqscope
