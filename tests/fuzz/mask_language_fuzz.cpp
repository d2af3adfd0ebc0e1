// SPDX-License-Identifier: GPL-3.0-or-later
// Any text: the parser ends with a program or a place in the text, and of a program all evaluators say the same.

#include "core/mask/language/parse/source_tokens.h"
#include "tests/core/mask/language/evaluators.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace vqscope;

namespace {

/// Arrays that are given before a text is read: lists, a table, a batch of truth values.
const std::map<std::string, std::pair<std::vector<Index>, std::vector<Index>>>& tables() {
  static const std::map<std::string, std::pair<std::vector<Index>, std::vector<Index>>> all{
      {"x", {{3, 0, 0, 2, 5, -1}, {}}},
      {"lengths", {{4, 0, 6, 1}, {}}},
      {"table", {{0, 1, 2, 3, 3, 2, 1, 0, 5, 5, 5, 5, 0, 0, 9, 1}, {4, 4}}},
      {"flags", {{1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0}, {2, 9}}}};
  return all;
}

language::Given given() {
  language::Given all{.words = {{"style", "pair"}, {"ratio", "0.5"}}, .nones = {"none"}, .b = 1, .h = 0};
  for (const auto& [name, table] : tables()) all.arrays[name] = {table.first, table.second, name == "flags"};
  return all;
}

/// Parameters and arrays that the text itself decides, small and large, some too short.
MaskBindings bindings_of(const MaskProgram& program, std::string_view text) {
  MaskBindings bindings{.b = 1, .mask_failing_cells = true};
  Index seed = static_cast<Index>(text.size());
  for (const auto& use : program.integers()) bindings.integers[use.name] = (seed = (seed * 31 + 7) % 101) - 20;
  for (const auto& use : program.arrays()) {
    seed = (seed * 31 + 7) % 101;
    if (const auto table = tables().find(use.name); table != tables().end()) {
      bindings.arrays[use.name] = table->second.first;
      continue;
    }
    std::vector<Index> values;
    for (Index i = 0; i < 9 + seed % 5; ++i) values.push_back(seed % 3 == 0 ? i / 3 : (i * seed) % 7 - 1);
    if (seed % 4 != 0) bindings.arrays[use.name] = std::move(values);
    const bool from_layout =
        use.name == "document_id" || use.name == "position_ids" || use.name == "key_valid" || use.name == "offsets";
    if (!bindings.arrays.contains(use.name) && !from_layout) bindings.arrays[use.name] = {};
  }
  return bindings;
}

void fail(const std::string& why, std::string_view text) {
  std::fprintf(stderr, "%s\n%.*s\n", why.c_str(), static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Index end = 0;
  for (const SourceToken& token : tokens(text)) {
    if (token.range.begin < end || token.range.size() <= 0) fail("tokens overlap", text);
    end = token.range.end;
  }
  if (end > static_cast<Index>(size)) fail("tokens reach beyond the text", text);
  const auto parsed = MaskProgram::parse(text, given());
  if (!parsed) return render(parsed.error, text).empty() ? 1 : 0;
  const auto layout = SequenceLayout::make({.q_length = 9, .past_len = 2, .padding = 1, .document_lengths = {4, 6}});
  const MaskBindings bindings = bindings_of(*parsed.program, text);
  const auto mask = LanguageMask::make(parsed.program, bindings, *layout);
  if (!mask) {
    // Boundaries that fall and sums that leave 64 bits are those of the arrays that are given.
    const bool derives = std::ranges::any_of(parsed.program->arrays(), [](const auto& use) { return use.of >= 0; });
    if (!derives) fail(mask.error().message, text);
    return 0;
  }
  if (const auto wrong = test::evaluators_differ(**mask); !wrong.empty()) fail(wrong, text);
  std::vector<Verdict> verdicts;
  for (const auto& [q, kv] : {std::pair<Index, Index>{0, 0}, {8, 3}, {4, 10}}) {
    (void)(*mask)->why(q, kv);
    (void)(*mask)->facts(q, kv);
    (*mask)->verdicts(q, kv, verdicts);
    if (verdicts.size() != (*mask)->columns().size()) fail("a column has no verdict", text);
  }
  return 0;
}
