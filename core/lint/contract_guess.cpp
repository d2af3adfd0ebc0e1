// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/contract_guess.h"

#include "core/lint/contract_hidden.h"
#include "core/lint/contract_plan.h"
#include "core/lint/contract_regions.h"

namespace vqscope {
namespace {

constexpr Index most_guess_steps = Index{1} << 25;
constexpr Index most_span_steps = Index{1} << 28;  // of all rows together
constexpr Index most_span_rows = Index{1} << 16;
constexpr Index most_span_keys = Index{1} << 20;  // a span has a number for each

/// Whether a region is masked, or visible, in every row. Also false if checking takes too long.
bool holds(const Mask& mask, const CellProbe& probe) {
  CountBudget budget{.left = most_guess_steps};
  std::vector<Band> scratch;
  bool right = true;
  const Range all{0, mask.extent().rows};
  const Range read = for_each_chunk(mask, all, budget, scratch, [&](Range rows, std::span<const Band> bands) {
    right = right && wrong_cells(probe, bands, rows, budget) == 0;
    if (!right) budget.give_up();
  });
  return right && read == all && !budget.is_over();
}

bool nothing_ahead(const ContractCase& given) { return holds(*given.mask, {forbidden_future(given), false}); }

bool all_ahead(const ContractCase& given) {
  return nothing_ahead(given) && holds(*given.mask, {wanted_keys(given, WantedPart::ahead), true});
}

bool sees_both_ways(ContractCase given) {
  given.objective = Objective::bidirectional;
  return holds(*given.mask, {wanted_keys(given), true}) || hidden_on_purpose(given);
}

/// Causal or same document where causal and same document was meant: every query sees its whole document and all keys
/// before it, as if documents were spans of one sequence.
bool joins_documents(const ContractCase& given) {
  const SequenceLayout& layout = given.layout;
  if (document_count(layout) < 2 || layout.kv_length() > most_span_rows) return false;
  SequenceInput one = layout.input();
  one.document_lengths.clear();
  auto whole = SequenceLayout::make(one);
  if (!whole) return false;
  ContractCase spans = given;
  spans.layout = std::move(*whole);
  spans.objective = Objective::causal_spans;
  for (Index key = 0; key < layout.kv_length(); ++key) spans.spans.push_back(layout.kv_document(key));
  return all_ahead(spans) && holds(*given.mask, {wanted_keys(spans, WantedPart::behind), true});
}

/// Causal except for the key just ahead: a mask that is off by one.
bool leaks_by_one(ContractCase given) {
  given.objective = Objective::causal;
  given.window_right = 1;
  return nothing_ahead(given) && holds(*given.mask, {wanted_keys(given, WantedPart::behind), true});
}

/// The end of the real keys that a query sees of its own document.
std::optional<Index> seen_end(const ContractCase& given, Index q, const Range& keys, CountBudget& budget,
                              std::vector<Range>& row) {
  row.clear();
  if (!read_row(*given.mask, q, budget, row)) return {};
  Index end = keys.begin;
  for (const Range& seen : row)
    if (const Range own = common(seen, keys); own.size() > 0) end = own.end;
  return end;
}

/// The keys that the first query sees are the prefix.
std::optional<Index> seen_prefix(const ContractCase& given) {
  CountBudget budget{.left = most_guess_steps};
  std::vector<Range> row;
  for (const TokenRun& run : given.layout.q_runs()) {
    if (!run.valid) continue;
    if (run.first != 0) return {};
    const TokenRun& keys = keys_of_document(given.layout, run).front();
    const auto end = seen_end(given, run.tokens.begin, keys.tokens, budget, row);
    return end && *end > keys.tokens.begin + 1 ? std::optional(*end - keys.tokens.begin) : std::nullopt;
  }
  return {};
}

/// The spans of tokens whose queries all see to the end of their span.
std::vector<Index> seen_spans(const ContractCase& given) {
  const SequenceLayout& layout = given.layout;
  std::vector<Index> ids(static_cast<std::size_t>(layout.kv_length()), -1);
  CountBudget budget{.left = most_span_steps};
  std::vector<Range> row;
  Index id = 0;
  for (const TokenRun& run : layout.q_runs())
    for (Index q = run.tokens.begin; run.valid && q < run.tokens.end;) {
      const Index self = *layout.key_of(q);
      const auto end = seen_end(given, q, keys_of_document(layout, run).front().tokens, budget, row);
      if (!end) return {};
      const Index length = std::max<Index>(1, *end - self);
      if (length > 1) std::fill_n(ids.begin() + self, std::min(length, layout.kv_length() - self), id++);
      q += length;
    }
  return id > 0 ? ids : std::vector<Index>();
}

bool guess_spans(ContractCase& given) {
  if (given.layout.q_length() > most_span_rows || given.layout.kv_length() > most_span_keys) return false;
  ContractCase spans = given;
  spans.objective = Objective::causal_spans;
  spans.spans = seen_spans(given);
  if (spans.spans.empty() || !all_ahead(spans)) return false;
  given = std::move(spans);
  return true;
}

/// How far the first rows of a document see: of the first run of real queries from position 0 on, the end of the keys
/// of row `q`, counted from its document's first key.
class FirstRows {
 public:
  explicit FirstRows(const ContractCase& given) : m_given(given) {
    const auto runs = given.layout.q_runs();
    const auto run = std::ranges::find_if(runs, [](const TokenRun& r) { return r.valid; });
    if (run == runs.end() || run->first != 0) return;
    m_rows = run->tokens;
    m_keys = keys_of_document(given.layout, *run).front().tokens;
  }
  Range rows() const { return m_rows; }
  std::optional<Index> end(Index q) {
    const auto end = seen_end(m_given, q, m_keys, m_budget, m_row);
    return end ? std::optional(*end - m_keys.begin) : std::nullopt;
  }
  /// The first key that the row sees of its document.
  std::optional<Index> begin(Index q) {
    if (!end(q)) return {};
    for (const Range& seen : m_row)
      if (const Range own = common(seen, m_keys); own.size() > 0) return own.begin - m_keys.begin;
    return {};
  }

 private:
  const ContractCase& m_given;
  Range m_rows;
  Range m_keys;
  CountBudget m_budget{.left = most_guess_steps};
  std::vector<Range> m_row;
};

/// Chunks of the length after which the rows see further, with the keys that the last row sees before its own chunk.
std::optional<ContractCase> chunks_seen(const ContractCase& given) {
  FirstRows first(given);
  const Range rows = first.rows();
  if (rows.size() < 2) return {};
  const auto end = first.end(rows.begin);
  if (!end) return {};
  Index chunk = 1;
  for (; chunk < std::min(rows.size(), *end); ++chunk) {
    const auto next = first.end(rows.begin + chunk);
    if (!next) return {};
    if (*next != *end) break;
  }
  if (chunk == 1 || chunk == rows.size()) return {};
  ContractCase made = given;
  made.objective = Objective::block_causal;
  made.chunk = chunk;
  made.right_frames = *end - chunk;
  const Index last = rows.end - 1;
  const auto begin = first.begin(last);
  if (!begin) return {};
  if (*begin > 0) made.left_frames = (last - rows.begin) / chunk * chunk - *begin;
  // Chunks that see nothing before them are documents.
  if (made.left_frames && *made.left_frames <= 0) return {};
  if (made.left_frames || made.right_frames > 0) made.objective = Objective::chunked;
  return made;
}

/// Chunks that see themselves and chunks before them, with every cell as it must be.
bool guess_chunks(ContractCase& given) {
  auto made = chunks_seen(given);
  if (!made || !unknown_keys(*made).empty()) return false;
  if (!nothing_ahead(*made) || !holds(*made->mask, {other_chunks(*made), false}) ||
      !holds(*made->mask, {wanted_keys(*made), true}))
    return false;
  given = std::move(*made);
  return true;
}

bool guess_prefix(ContractCase& given, std::optional<Index> length) {
  ContractCase prefix = given;
  prefix.objective = Objective::prefix;
  prefix.prefix_length = length;
  if (!length || !all_ahead(prefix)) return false;
  given = std::move(prefix);
  return true;
}

}  // namespace

void guess_objective(ContractCase& given, std::optional<Index> text_prefix) {
  given.objective = Objective::causal;
  if (text_prefix && *text_prefix > 1) {
    given.objective = Objective::prefix;
    given.prefix_length = *text_prefix;
    return;
  }
  if (nothing_ahead(given)) return;
  if (given.layout.query_source() == QuerySource::own) {
    // Queries after a cache belong to its sequence, however few keys are left.
    if (given.past_len == 0) given.objective = Objective::cross;
    return;
  }
  const Extent extent = given.mask->extent();
  if (given.extra_keys && holds(*given.mask, {columns_beyond(extent, extent.cols - extent.rows), false})) return;
  if (guess_chunks(given) || leaks_by_one(given) || joins_documents(given)) return;
  if (sees_both_ways(given)) {
    given.objective = Objective::bidirectional;
    return;
  }
  if (!guess_prefix(given, seen_prefix(given))) guess_spans(given);
}

}  // namespace vqscope
