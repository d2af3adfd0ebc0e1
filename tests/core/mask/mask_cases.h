// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/language_mask.h"
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

  /// The terms as a text, in their order.
  std::string text() const {
    std::string all = "prefix_length = " + to_text(prefix_length) + "\nwindow = " + to_text(window) +
                      "\ndef mask(b, h, q_idx, kv_idx):\n";
    for (const auto& [name, condition] : std::initializer_list<std::pair<std::string, std::string>>{
             {"same_document", "kv_doc == q_doc"},
             {"causal", "kv_idx <= q_idx + past_len"},
             {"prefix", "(kv_pos < prefix_length) | (kv_idx <= q_idx + past_len)"},
             {"sliding_window", "q_idx + past_len - kv_idx < window"}})
      if (std::ranges::count(terms, name) > 0) all += "    " + name + " = " + condition + "\n";
    return all + "    return " + (terms.empty() ? "True" : join(terms, " & ")) + "\n";
  }

  std::shared_ptr<const LanguageMask> mask() const {
    return *LanguageMask::make(MaskProgram::parse(text()).program, {}, layout);
  }

  bool holds(const std::string& term, Index q, Index kv) const {
    if (term == "key_valid") return layout.key_valid(kv);
    if (term == "same_document") return layout.q_document(q) == layout.kv_document(kv);
    const Index behind = q + layout.past_len() - kv;
    if (term == "causal") return behind >= 0;
    if (term == "prefix") return behind >= 0 || layout.kv_pos(kv) < prefix_length;
    return behind < window;
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

inline std::shared_ptr<const Mask> causal_mask(Index length) {
  return MaskCase{*SequenceLayout::make({.q_length = length}), {"causal"}}.mask();
}

/// Four documents behind left padding, 32 tokens in all.
inline MaskCase packed_case() {
  SequenceInput input{.q_length = 32, .padding_side = PaddingSide::left, .padding = 4};
  input.document_lengths = {8, 8, 8, 4};
  return {*SequenceLayout::make(input), {"key_valid", "same_document", "causal"}};
}

}  // namespace vqscope::test
