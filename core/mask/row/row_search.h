// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/mask.h"

#include <optional>
#include <stop_token>

namespace vqscope {

enum class RowKind {
  any,
  empty,    ///< sees nothing
  differs,  ///< with a second mask: sees other keys there; else does not continue the row before it
};

struct RowSearch {
  RowKind kind = RowKind::any;
  Index from = 0;  ///< where it begins, not itself found; -1 and q_length stand before and behind all rows
  bool forwards = true;
  const Mask* second = nullptr;
};

/// The next row of that kind, or nothing. A row continues the one before it when it has as many
/// intervals and each of their ends stayed or went one key further, as those of causal masks,
/// windows and prefixes do; row 0 has none before it. A row that the second mask does not have
/// differs. Masks with bands are read where their bands bend, a few rows at any length; others row
/// by row. Errors are Errc::cancelled and, with the rows that were looked at, Errc::too_large.
Result<std::optional<Index>> next_row(const Mask& mask, const RowSearch& search, const std::stop_token& stop = {});

}  // namespace vqscope
