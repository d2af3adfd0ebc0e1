// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/random_numbers.h"

#include <functional>
#include <string>
#include <vector>

namespace vqscope::test {

/// Value of a cell by the definition of the mask.
using MaskRule = std::function<bool(Index q, Index kv)>;

/// A mask text and what each of its cells must be.
struct RuledText {
  std::string text;
  MaskRule rule;
};

/// The cells that a rule gives, 1 or 0 row by row.
inline std::string cells_by(const MaskRule& rule, Index length) {
  std::string cells;
  for (Index q = 0; q < length; ++q)
    for (Index kv = 0; kv < length; ++kv) cells += rule(q, kv) ? '1' : '0';
  return cells;
}

/// [1, -2], as Python writes a list.
inline std::string list_text(const std::vector<Index>& numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + to_text(numbers[i]);
  return text + "]";
}

inline std::vector<Index> random_list(Random& random, Index length, Index low, Index high) {
  std::vector<Index> numbers;
  for (Index i = 0; i < length; ++i) numbers.push_back(pick(random, low, high));
  return numbers;
}

/// "1" where an array that a text makes has the shape, the type and the elements of the list
/// `wanted`.
inline std::string array_is(const std::string& made, const std::string& wanted) {
  return cells_of("got = " + made + "\nwanted = torch.tensor(" + wanted +
                      ")\n"
                      "same = (got.ndim == wanted.ndim) and all([a == b for a, b in zip(got.shape, wanted.shape)])\n"
                      "return (same and (got.dtype == wanted.dtype) and (got == wanted).all()) & (kv_idx >= 0)",
                  1);
}

/// Why a text is no program, with the place: "line 1, column 8: …".
inline std::string placed_error(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  if (parsed) return "no error";
  const std::string shown = render(parsed.error, text);
  return shown.substr(0, shown.find('\n'));
}

}  // namespace vqscope::test
