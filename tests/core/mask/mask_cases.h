// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/layout_mask.h"
#include "tests/support/field_checks.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope::test {

/// Terms over a layout, with a second, plainer statement of what each of them means.
struct MaskCase {
  SequenceLayout layout;
  std::vector<std::string> terms;
  Index prefix_length = 0;
  Index window = 1;

  std::shared_ptr<const LayoutMask> mask() const {
    std::vector<TermPtr> made;
    for (const auto& name : terms) {
      if (name == "key_valid") made.push_back(key_valid_term());
      if (name == "same_document") made.push_back(same_document_term());
      if (name == "causal") made.push_back(causal_term());
      if (name == "prefix") made.push_back(prefix_term(prefix_length));
      if (name == "sliding_window") made.push_back(sliding_window_term(window));
    }
    return std::make_shared<LayoutMask>(layout, std::move(made));
  }

  bool holds(const std::string& term, Index q, Index kv) const {
    if (term == "key_valid") return layout.key_valid(kv);
    if (term == "same_document") return layout.q_document(q) == layout.kv_document(kv);
    const bool by_token = !layout.q_valid(q);
    if (!by_token && !layout.key_valid(kv)) return true;
    const Index behind = by_token ? q + layout.past_len() - kv : layout.q_pos(q) - layout.kv_pos(kv);
    if (term == "causal") return behind >= 0;
    if (term == "prefix") return behind >= 0 || (layout.key_valid(kv) && layout.kv_pos(kv) < prefix_length);
    return behind < window;
  }

  /// What a term is held to account for: positions of another document are not its business when documents count.
  bool passes(const std::string& term, Index q, Index kv) const {
    const bool documents = std::ranges::count(terms, "same_document") > 0;
    const bool positions = term != "key_valid" && term != "same_document";
    if (documents && positions && layout.q_document(q) != layout.kv_document(kv)) return true;
    return holds(term, q, kv);
  }

  bool visible(Index q, Index kv) const {
    return std::ranges::all_of(terms, [&](const auto& term) { return holds(term, q, kv); });
  }

  std::string name() const {
    std::string text = join(terms, "+") + " q " + to_text(layout.q_length()) + " kv " + to_text(layout.kv_length()) +
                       " past " + to_text(layout.past_len()) + " prefix " + to_text(prefix_length) + " window " +
                       to_text(window) + " runs";
    for (const auto& run : layout.kv_runs()) text += " " + to_text(run.document) + ":" + to_text(run.tokens.size());
    return text;
  }
};

inline SequenceInput random_input(Random& random) {
  SequenceInput input;
  input.q_length = pick(random, 1, 24);
  input.past_len = pick(random, 0, 1) * pick(random, 0, 16);
  input.kv_length = input.q_length + input.past_len + pick(random, 0, 1) * pick(random, 0, 9);
  input.padding = pick(random, 0, 1) * pick(random, 0, input.kv_length - 1);
  input.padding_side = pick(random, 0, 1) ? PaddingSide::left : PaddingSide::right;
  if (pick(random, 0, 3) == 0) input.query_source = QuerySource::own;
  Index real = input.kv_length - input.padding;
  while (pick(random, 0, 3) != 0 && real > 1) {
    input.document_lengths.push_back(pick(random, 1, real - 1));
    real -= input.document_lengths.back();
  }
  if (!input.document_lengths.empty()) input.document_lengths.push_back(real);
  return input;
}

/// Any subset of the terms over any layout.
inline MaskCase random_case(Random& random) {
  MaskCase made{*SequenceLayout::make(random_input(random)), {}, pick(random, 0, 12), pick(random, 1, 12)};
  for (const char* term : {"key_valid", "same_document", "causal", "prefix", "sliding_window"})
    if (pick(random, 0, 1)) made.terms.emplace_back(term);
  return made;
}

}  // namespace vqscope::test
