// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_guess.h"

#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/mask/recognise/recognise.h"

namespace vqscope {
namespace {

constexpr Index most_guess_steps = Index{1} << 25;
/// For longer masks, the first rows are recognised, and all rows are checked against them.
constexpr Index most_guess_rows = Index{1} << 16;
constexpr Index most_span_keys = Index{1} << 20;  // a span has a number for each

/// How many cells of a region are visible that must be masked, or the other way round; nothing if
/// counting takes too long.
std::optional<std::uint64_t> wrong_cells_of(const Mask& mask, const CellProbe& probe) {
  CountBudget budget{.left = most_guess_steps};
  std::vector<Band> scratch;
  std::uint64_t wrong = 0;
  const Range all{0, mask.extent().rows};
  const Range read = for_each_chunk(mask, all, budget, scratch, [&](Range rows, std::span<const Band> bands) {
    wrong += wrong_cells(probe, bands, rows, budget);
  });
  return read == all && !budget.is_over() ? std::optional(wrong) : std::nullopt;
}

std::optional<std::uint64_t> seen_ahead(const LintCase& given) {
  return wrong_cells_of(*given.mask, {forbidden_future(given), false});
}

/// Whether queries see themselves, but for a few such as padding, and about as much ahead as
/// behind, so that what they see ahead is no mistake.
bool sees_both_ways(const LintCase& given) {
  const auto ahead = seen_ahead(given);
  const auto behind = wrong_cells_of(*given.mask, {wanted_keys(given, WantedPart::behind), false});
  const auto blind = wrong_cells_of(*given.mask, {own_keys(given.layout), true});
  if (!ahead || !behind || !blind) return false;
  const bool even = *ahead >= *behind / 2 && *behind >= *ahead / 2;
  return even && *blind <= static_cast<std::uint64_t>(given.layout.q_length()) / 4;
}

/// Takes over what was recognised, once the cells of the whole mask agree.
class Guess {
 public:
  Guess(LintCase& given, const Recognition& found)
      : m_given(given),
        m_found(found),
        m_offset(found.shape.past_len + found.shape.right.value_or(0) - given.layout.past_len()) {}

  void take() {
    if (leaks_by_one() || joins_documents() || try_chunks() || try_prefix() || try_spans()) return;
    if (is_bidirectional() || (!is_conjunction() && sees_both_ways(m_given)))
      m_given.objective = Objective::bidirectional;
  }

 private:
  bool is_conjunction() const { return m_found.pattern.kind == MaskKind::conjunction; }
  bool is_causal_conjunction() const { return is_conjunction() && m_found.shape.right && m_offset == 0; }

  /// Causal except for the key just ahead.
  bool leaks_by_one() const {
    const MaskShape& shape = m_found.shape;
    return is_conjunction() && shape.right && !shape.left && !shape.documents_widen && m_offset == 1;
  }

  bool is_bidirectional() const {
    const MaskShape& shape = m_found.shape;
    switch (m_found.pattern.kind) {
      // Keys after the query alone are an inverted causal mask.
      case MaskKind::conjunction: return (!shape.right || m_offset > 0) && shape.left.value_or(0) >= 0;
      case MaskKind::groups:
      case MaskKind::global_tokens:
      case MaskKind::neighbourhood:
      case MaskKind::axial:
      case MaskKind::block_table: return true;
      default: return false;
    }
  }

  /// Causal or same document where causal and same document was meant, as if documents were spans
  /// of one sequence.
  bool joins_documents() const {
    const bool apart = !m_found.shape.document_starts.empty() && !m_found.shape.documents_widen;
    if (document_count(m_given.layout) < 2 || apart || is_causal_conjunction() != m_found.shape.documents_widen)
      return false;
    const auto ids = span_ids();
    bool any = false;
    for (std::size_t key = 1; key < ids.size(); ++key) {
      if (ids[key] == ids[key - 1]) continue;
      any = true;
      const auto at = static_cast<Index>(key);
      if (m_given.layout.kv_document(at) == m_given.layout.kv_document(at - 1)) return false;
    }
    return any;
  }

  bool try_chunks() {
    const auto& blocks = m_found.pattern.blocks;
    if (!blocks || blocks->size == 0 || blocks->left_is_window) return false;
    LintCase made = m_given;
    made.objective = blocks->left || blocks->right > 0 ? Objective::chunked : Objective::block_causal;
    made.chunk = blocks->size;
    made.left_frames = blocks->left;
    made.right_frames = blocks->right;
    if (!unknown_keys(made).empty()) return false;
    return accept(made, {{forbidden_future(made), false}, {other_chunks(made), false}, {wanted_keys(made), true}});
  }

  bool try_prefix() {
    if (!is_causal_conjunction() || m_found.shape.prefix == 0) return false;
    LintCase made = m_given;
    made.objective = Objective::prefix;
    made.prefix_length = m_found.shape.prefix;
    return accept_ahead(made);
  }

  bool try_spans() {
    LintCase made = m_given;
    made.objective = Objective::causal_spans;
    made.spans = span_ids();
    if (made.spans.empty()) return false;
    if (accept_ahead(made)) return true;
    // Google's Gemma bounds the keys ahead by the window, too.
    if (m_found.pattern.spans) made.window = m_found.pattern.spans->window;
    return made.window && accept_ahead(made);
  }

  /// The tokens that see each other ahead, by number, -1 for others; empty where the description
  /// has none.
  std::vector<Index> span_ids() const {
    const MaskShape& shape = m_found.shape;
    const Index keys = m_given.layout.kv_length();
    std::vector<Index> ids;
    if (m_given.layout.q_length() > most_guess_rows || keys > std::min(most_span_keys, shape.extent.cols)) return ids;
    if (m_found.pattern.spans)
      ids = m_found.pattern.spans->ids;
    else if (m_found.pattern.blocks)
      ids = ids_of(m_found.pattern.blocks->starts, keys);
    else if (is_conjunction() && shape.documents_widen)
      ids = ids_of(shape.document_starts, keys);
    else if (is_causal_conjunction() && shape.prefix > 0)
      ids = prefix_ids();
    if (!ids.empty()) ids.resize(static_cast<std::size_t>(keys), -1);
    return ids;
  }

  /// The prefixes of documents that the sequence does not have.
  std::vector<Index> prefix_ids() const {
    const MaskShape& shape = m_found.shape;
    std::vector<Index> ids = ids_of(shape.document_starts, m_given.layout.kv_length());
    for (std::size_t key = 0; key < ids.size(); ++key)
      if (static_cast<Index>(key) - shape.document(static_cast<Index>(key)).begin >= shape.prefix) ids[key] = -1;
    return ids;
  }

  bool accept_ahead(const LintCase& made) {
    return accept(made, {{forbidden_future(made), false}, {wanted_keys(made, WantedPart::ahead), true}});
  }

  /// A few wrong cells are mistakes, as many as there are exceptions.
  bool accept(const LintCase& made, const std::vector<CellProbe>& probes) {
    std::uint64_t wrong = 0;
    for (const CellProbe& probe : probes) {
      const auto count = wrong_cells_of(*made.mask, probe);
      if (!count || (wrong += *count) > m_found.exception_count) return false;
    }
    m_given = made;
    return true;
  }

  LintCase& m_given;
  const Recognition& m_found;
  Index m_offset;  ///< how far ahead of itself a query sees
};

/// Pattern of the whole mask, which the rules may also need, or of a corner. Null: not found in
/// time.
std::shared_ptr<const Recognition> guessed_from(const LintCase& given, Extent corner) {
  const Extent extent = given.mask->extent();
  if (extent.rows <= corner.rows && extent.cols <= corner.cols)
    return given.recognition.of(given.mask, most_guess_steps);
  auto found = recognise(*given.mask, {.most_steps = most_guess_steps, .corner = corner});
  return found ? std::make_shared<const Recognition>(std::move(*found)) : nullptr;
}

}  // namespace

void guess_objective(LintCase& given, std::optional<Index> text_prefix) {
  given.objective = Objective::causal;
  if (text_prefix && *text_prefix > 1) {
    given.objective = Objective::prefix;
    given.prefix_length = *text_prefix;
    return;
  }
  if (seen_ahead(given) == 0) return;
  if (given.layout.query_source() == QuerySource::own) {
    // Queries after a cache belong to its sequence, however few keys are left.
    if (given.past_len == 0) given.objective = Objective::cross;
    return;
  }
  const Extent extent = given.mask->extent();
  const CellProbe beyond{columns_beyond(extent, extent.cols - extent.rows), false};
  if (given.extra_keys && wrong_cells_of(*given.mask, beyond) == 0) return;
  const Extent corner{most_guess_rows, most_guess_rows + given.layout.past_len()};
  const auto found = guessed_from(given, corner);
  if (found && found->fits) {
    if (!found->inverted) Guess(given, *found).take();
  } else if (sees_both_ways(given)) {
    given.objective = Objective::bidirectional;
  }
}

}  // namespace vqscope
