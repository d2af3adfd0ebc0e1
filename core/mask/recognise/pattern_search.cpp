// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/pattern_search.h"

#include "core/base/sentence.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_search.h"

namespace vqscope {
namespace {

/// Rows that a proposal must nearly match before all are compared.
constexpr Index sampled_rows = 64;
constexpr Index most_sampled_cells = 64;

/// Padding and blind queries as they are, without documents.
MaskShape plain_frame(const MaskRows& rows, Index past_len) {
  const Extent extent = rows.extent();
  Index first_key = extent.cols;
  Index last_key = 0;
  Index first_query = extent.rows;
  Index last_query = 0;
  for (Index q = 0; q < extent.rows; ++q) {
    const auto row = rows.row(q);
    if (row.empty()) continue;
    first_key = std::min(first_key, row.front().begin);
    last_key = std::max(last_key, row.back().end);
    first_query = std::min(first_query, q);
    last_query = q + 1;
  }
  return {.extent = extent,
          .past_len = past_len,
          .pad_left = first_key,
          .pad_right = extent.cols - last_key,
          .blind_first = first_query,
          .blind_last = extent.rows - last_query};
}

std::shared_ptr<const Mask> mask_of(const std::string& text, const std::vector<NamedArray>& arrays, Extent extent,
                                    const std::stop_token& stop) {
  const auto layout =
      SequenceLayout::make({.q_length = extent.rows, .kv_length = extent.cols, .query_source = QuerySource::own});
  const auto parsed = MaskProgram::parse(text);
  if (!layout || !parsed.program) return nullptr;
  MaskBindings bindings;
  for (const auto& array : arrays) bindings.arrays[array.name] = array.values;
  auto made = make_language_mask(parsed.program, std::move(bindings), *layout, stop);
  return made ? *made : nullptr;
}

/// Where positions may begin before the first key that is seen: where keys are seen at equal
/// distances, a distance before the end of the first ones. 0: no such place.
Index hidden_start(const MaskRows& rows) {
  for (Index q = rows.extent().rows - 1; q >= 0; --q) {
    const auto row = rows.row(q);
    if (row.size() > 2) return std::max<Index>(0, row[0].end - (row[1].begin - row[0].begin));
    if (!row.empty()) return 0;
  }
  return 0;
}

/// Whether a padding token has a query that sees a key.
bool sees_in_padding(const MaskShape& frame) {
  const Index first = frame.past_len + frame.blind_first;
  const Index end = frame.past_len + frame.extent.rows - frame.blind_last;
  return (frame.pad_left > 0 && first < frame.pad_left) ||
         (frame.pad_right > 0 && end > frame.extent.cols - frame.pad_right);
}

class PatternSearch {
 public:
  PatternSearch(const MaskRows& rows, Index below, CountBudget& budget) : m_rows(rows), m_budget(budget) {
    m_best.cost = below;
  }

  void run() {
    const ShapeVotes votes(m_rows, m_budget.stop);
    for (const Index past_len : votes.past_lens()) {
      const MaskShape frame = plain_frame(m_rows, past_len);
      if (frame.pad_left >= frame.extent.cols) return;  // no query sees a key
      try_frames(frame, votes.uncrossed(past_len));
      if (frame.pad_left == 0) continue;
      // Keys at the front that no query sees need not be padding.
      MaskShape unpadded = frame;
      unpadded.pad_left = 0;
      unpadded.pad_right = 0;
      try_frames(unpadded, votes.uncrossed(past_len));
      unpadded.pad_left = hidden_start(m_rows);
      if (unpadded.pad_left > 0 && unpadded.pad_left < frame.pad_left) try_frames(unpadded, {});
    }
  }

  FoundPattern take() { return std::move(m_best); }

 private:
  /// Without documents, and with those between which no cell is.
  void try_frames(MaskShape frame, std::vector<Index> borders) {
    if (frame.blind_first + frame.blind_last > 0) {
      // Often the pattern shows them no key anyway.
      MaskShape seeing = frame;
      seeing.blind_first = seeing.blind_last = 0;
      try_frames(seeing, borders);
    }
    try_frame(frame, true);
    if (sees_in_padding(frame)) try_frame(frame, false, true);
    std::erase_if(borders, [&](Index border) {
      return border <= frame.pad_left || border >= frame.extent.cols - frame.pad_right;
    });
    frame.document_starts = std::move(borders);
    const auto count = static_cast<Index>(frame.document_starts.size());
    if (count > 0 && count <= frame.extent.cols / 4) try_frame(frame, false);
  }

  /// The shorter ones first: what costs more than the best is not compared.
  void try_frame(const MaskShape& frame, bool alone, bool padding_at_zero = false) {
    const PatternInput input(m_rows, frame, padding_at_zero, m_budget);
    std::vector<MaskPattern> proposals;
    for (const PatternMaker propose :
         {propose_blocks, propose_uneven_blocks, propose_spans, propose_global_tokens, propose_summaries,
          propose_strides, propose_neighbourhoods, propose_windows, propose_axes, propose_groups})
      propose(input, proposals);
    if (alone)
      for (const PatternMaker propose : {propose_block_diffusion, propose_draft_blocks, propose_branches,
                                         propose_draft_tree, propose_block_tables, propose_open_padding})
        propose(input, proposals);
    std::ranges::stable_sort(proposals, {}, &MaskPattern::size);
    for (MaskPattern& pattern : proposals) try_pattern(std::move(pattern), frame);
  }

  void try_pattern(MaskPattern pattern, const MaskShape& frame) {
    Index cost = pattern.size + frame.size();
    if (cost >= m_best.cost || m_budget.is_over()) return;
    auto mask = mask_of(pattern_text(pattern, frame), pattern_arrays(pattern, frame), frame.extent, m_budget.stop);
    if (!mask || !resembles(*mask)) return;
    for (Index q = 0; q < m_rows.extent().rows && cost < m_best.cost; ++q) {
      const auto apart = apart_in(*mask, q);
      if (!apart) return;
      cost += exception_cost * *apart;
    }
    if (cost < m_best.cost) m_best = {std::move(pattern), frame, std::move(mask), cost};
  }

  bool resembles(const Mask& mask) {
    const Index rows = m_rows.extent().rows;
    const Index count = std::min(rows, sampled_rows);
    Index cells = 0;
    for (Index i = 0; i < count; ++i) {
      const auto apart = apart_in(mask, (2 * i + 1) * rows / (2 * count));
      if (!apart || (cells += *apart) > most_sampled_cells) return false;
    }
    return true;
  }

  std::optional<Index> apart_in(const Mask& mask, Index q) {
    const auto row = m_rows.row(q);
    if (!read_row(mask, q, m_budget, m_row)) return {};
    if (!m_budget.spend(comparison_steps + interval_steps * static_cast<Index>(row.size() + m_row.size()))) return {};
    return cells_apart(row, m_row);
  }

  const MaskRows& m_rows;
  CountBudget& m_budget;
  std::vector<Range> m_row;
  FoundPattern m_best;
};

}  // namespace

std::string pattern_text(const MaskPattern& pattern, const MaskShape& frame) {
  const bool framed = frame.size() > (frame.past_len != 0 ? 1 : 0);
  constexpr std::string_view keyword = "return ";
  return fmt::format("return {}{}", pattern.condition, framed ? " & " + frame.text().substr(keyword.size()) : "");
}

std::vector<NamedArray> pattern_arrays(const MaskPattern& pattern, const MaskShape& frame) {
  auto arrays = pattern.arrays;
  for (auto& array : frame.arrays()) arrays.push_back(std::move(array));
  if (pattern.condition.find("position_id[") != std::string::npos) arrays.push_back(frame.position_array());
  if (pattern.condition.find("document_start[") != std::string::npos) arrays.push_back(frame.document_start_array());
  if (pattern.condition.find("document_length[") != std::string::npos) arrays.push_back(frame.document_length_array());
  return arrays;
}

FoundPattern find_pattern(const MaskRows& rows, Index below, CountBudget& budget) {
  PatternSearch search(rows, below, budget);
  search.run();
  return search.take();
}

}  // namespace vqscope
