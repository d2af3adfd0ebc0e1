// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/query_key_sum.h"

namespace vqscope::test {

/// The value of one side of a sum at an index.
inline Index sum_at(const language::Part& part, Index x) {
  if (part.is_constant()) return part.offset;
  const language::ArrayPiece& piece = (*part.pieces)[piece_at(*part.pieces, x)];
  return part.factor * piece.at(x) + part.offset;
}

}  // namespace vqscope::test
