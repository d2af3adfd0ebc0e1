// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/mask/language/cells.h"

namespace vqscope::test {

/// An expression of a mask text and the array that it must be, with its shape.
struct ArrayCase {
  std::string expression;
  std::string values;
  std::string shape;
};

/// Lines as the body of a mask of one cell: "1" or "0", or why it is none.
inline std::string verdict_of(const std::string& lines) {
  std::string text = "def mask(b, h, q_idx, kv_idx):\n  ";
  for (const char letter : lines) text += letter == '\n' ? std::string("\n  ") : std::string(1, letter);
  return cells_of(text, 1);
}

/// Empty, or the error of the expression after `setup`; `array` makes an array of a list.
inline std::string wrong_array(const std::string& setup, const std::string& array, const ArrayCase& one) {
  const std::string found = setup + "\nfound = " + one.expression;
  const std::string shape = verdict_of(found + "\nreturn found.shape == " + one.shape);
  if (shape != "1") return one.expression + " has another shape than " + one.shape + ": " + shape;
  const std::string values = verdict_of(found + "\nreturn (found == " + array + "(" + one.values + ")).all()");
  return values == "1" ? "" : one.expression + " is not " + one.values + ": " + values;
}

}  // namespace vqscope::test
