// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/program.h"
#include "core/mask/language/language_mask.h"

#include <string>

namespace vqscope::test {

/// The cells of a text over `length` tokens, 1 or 0 row by row, or why there are none.
inline std::string cells_of(const std::string& text, Index length, const MaskBindings& bindings,
                            const language::Given& given) {
  const auto parsed = MaskProgram::parse(text, given);
  if (!parsed) return parsed.error.message;
  const auto mask = LanguageMask::make(parsed.program, bindings, *SequenceLayout::make({.q_length = length}));
  if (!mask) return mask.error().message;
  std::string cells;
  for (Index q = 0; q < length; ++q)
    for (Index kv = 0; kv < length; ++kv) cells += (*mask)->visible(q, kv) ? '1' : '0';
  return cells;
}

/// The same; what is bound is known while the text is compiled.
inline std::string cells_of(const std::string& text, Index length, const MaskBindings& bindings = {}) {
  language::Given given{.integers = bindings.integers, .b = bindings.b, .h = bindings.h};
  for (const auto& [name, values] : bindings.arrays) given.arrays[name] = {.values = values};
  return cells_of(text, length, bindings, given);
}

/// Why a text is no program.
inline std::string error_of(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  return parsed ? "no error" : parsed.error.message;
}

/// The one cell of a text over one token.
inline std::string truth_of(const std::string& text) { return cells_of(text, 1); }

}  // namespace vqscope::test
