// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <span>

namespace vqscope {

/// The draft just before a token among those that it sees, of the tokens after `context`; -1: none. Nothing: the token
/// does not see itself last. `row` has the keys that the token sees, one range at least.
inline std::optional<Index> draft_parent(Index token, std::span<const Range> row, Index context) {
  if (row.back().end != token + 1) return {};
  Index last = row.back().size() > 1 ? token - 1 : -1;
  if (last < 0 && row.size() > 1) last = row[row.size() - 2].end - 1;
  return last < context ? -1 : last - context;
}

}  // namespace vqscope
