// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/pattern/pattern_input.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// The document in which most queries stand.
Range fullest_document(const MaskShape& frame) {
  const Range queries{frame.past_len + frame.blind_first, frame.past_len + frame.extent.rows - frame.blind_last};
  Range best = frame.document(queries.begin);
  for (const Index start : frame.document_starts)
    if (const Range each = frame.document(start); common(each, queries).size() > common(best, queries).size())
      best = each;
  return best;
}

}  // namespace

PatternInput::PatternInput(const MaskRows& rows, MaskShape frame, bool padding_at_zero, CountBudget& budget)
    : m_rows(rows),
      m_frame(std::move(frame)),
      m_budget(budget),
      m_document(fullest_document(m_frame)),
      m_token(plus("q_idx", m_frame.past_len)) {
  if (padding_at_zero) {
    m_token_position = fmt::format("position_id[{}]", m_token);
    m_key_position = "position_id[kv_idx]";
    return;
  }
  if (has_documents()) {
    m_token_position = fmt::format("({} - document_start[{}])", m_token, m_token);
    m_key_position = "(kv_idx - document_start[kv_idx])";
    return;
  }
  const Index shift = m_frame.past_len - m_frame.pad_left;
  m_token_position = shift == 0 ? "q_idx" : fmt::format("({})", plus("q_idx", shift));
  m_key_position = m_frame.pad_left == 0 ? "kv_idx" : fmt::format("({})", plus("kv_idx", -m_frame.pad_left));
}

}  // namespace vqscope
