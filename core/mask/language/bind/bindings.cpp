// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bindings.h"

#include "core/base/sentence.h"
#include "core/mask/language/code/bound_array.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

template <class Make>
ArrayPtr array_of_runs(std::span<const TokenRun> runs, const Make& make) {
  std::vector<ArrayPiece> pieces;
  for (const TokenRun& run : runs) {
    const ArrayPiece piece = make(run);
    ArrayPiece* last = pieces.empty() ? nullptr : &pieces.back();
    if (last && last->slope == 0 && piece.slope == 0 && last->first == piece.first)
      last->range.end = piece.range.end;
    else
      pieces.push_back(piece);
  }
  return std::make_shared<BoundArray>(std::move(pieces));
}

ArrayPiece position(const TokenRun& run) { return {run.tokens, run.first, run.valid ? 1 : 0}; }
ArrayPiece document(const TokenRun& run) { return {run.tokens, run.document, 0}; }
ArrayPiece valid(const TokenRun& run) { return {run.tokens, run.valid ? 1 : 0, 0}; }

/// Where each document's tokens begin, and where the last one's end.
ArrayPtr document_offsets(const SequenceLayout& layout) {
  std::vector<Index> offsets;
  Index end = 0;
  for (const TokenRun& run : layout.kv_runs()) {
    if (!run.valid) continue;
    offsets.push_back(run.tokens.begin);
    end = run.tokens.end;
  }
  offsets.push_back(end);
  return std::make_shared<BoundArray>(std::move(offsets));
}

ArrayPtr array_of_layout(const std::string& name, const Environment& known, const SequenceLayout& layout) {
  if (name == "document_id") return known.kv_doc;
  if (name == "position_ids") return known.kv_pos;
  if (name == "key_valid") return known.key_valid;
  if (name == "offsets") return document_offsets(layout);
  return nullptr;
}

Error not_bound(const std::string& kind, const std::string& name, const std::string& given,
                const SourceError& first_use) {
  std::vector<std::string> known;
  for (const auto variable : known_variables()) known.emplace_back(variable);
  return invalid("the mask's {} {} (line {}) is not given{}; give {}", kind, shortened(name), first_use.line,
                 name.size() < 4 ? "" : did_you_mean(name, known), given);
}

/// "window = an integer, perhaps 128"
std::string expected_value(const IntegerUse& use, Index length) {
  if (use.is_truth) return shortened(use.name) + " = True or False";
  const auto guess = likely_value(use.name, length);
  return fmt::format("{} = an integer{}", shortened(use.name), guess ? ", perhaps " + to_text(*guess) : "");
}

std::string placed_at(const ArrayUse& use, std::string_view text) {
  return fmt::format("{} (line {}): ", shortened(use.name), source_error(text, use.range, "").line);
}

}  // namespace

Result<Environment> make_environment(const MaskProgram& program, MaskBindings bindings, const SequenceLayout& layout) {
  Environment made{.extent = {layout.q_length(), layout.kv_length()},
                   .b = bindings.b,
                   .h = bindings.h,
                   .past_len = layout.past_len()};
  made.q_pos = array_of_runs(layout.q_runs(), position);
  made.q_doc = array_of_runs(layout.q_runs(), document);
  // Usually queries and keys are the same tokens.
  const bool same = std::ranges::equal(layout.q_runs(), layout.kv_runs());
  made.kv_pos = same ? made.q_pos : array_of_runs(layout.kv_runs(), position);
  made.kv_doc = same ? made.q_doc : array_of_runs(layout.kv_runs(), document);
  made.key_valid = array_of_runs(layout.kv_runs(), valid);
  const std::string_view text = program.text();
  for (const IntegerUse& use : program.integers()) {
    const auto given = bindings.integers.find(use.name);
    if (use.may_miss) {  // the text was parsed with its value, or as None
      made.integers.push_back(given != bindings.integers.end() ? given->second : 0);
      continue;
    }
    if (given == bindings.integers.end() && !use.default_value)
      return not_bound("parameter", use.name, expected_value(use, layout.kv_length()),
                       source_error(text, use.range, ""));
    made.integers.push_back(given != bindings.integers.end() ? given->second : *use.default_value);
  }
  for (const ArrayUse& use : program.arrays()) {
    if (use.source != ArraySource::given) {
      auto derived = array_of_text(use, made.arrays);
      if (!derived) return Error{derived.error().code, placed_at(use, text) + derived.error().message};
      made.arrays.push_back(std::move(*derived));
      continue;
    }
    const auto given = bindings.arrays.find(use.name);
    ArrayPtr array = given != bindings.arrays.end() ? std::make_shared<BoundArray>(std::move(given->second))
                                                    : array_of_layout(use.name, made, layout);
    if (!array && (use.may_miss || use.decides)) array = std::make_shared<BoundArray>(std::vector<Index>{});
    if (!array) return not_bound("array", use.name, "its values", source_error(text, use.range, ""));
    made.arrays.push_back(std::move(array));
  }
  return made;
}

}  // namespace vqscope::language
