// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/local_bias.h"
#include "core/base/work.h"
#include "core/mask/mask.h"

#include <memory>
#include <optional>
#include <string>

namespace vqscope {

/// What all rows of a mask say.
struct CheckedMask {
  std::shared_ptr<const Mask> mask;
  /// Whether the keys farther than the window behind are visible to every query, or to none: B is then constant there.
  /// `largest` is infinity where it is not; `first` is the first such distance of the query that the sentence names.
  WindowCheck hypothesis;
  /// Those behind a query that are visible, ascending, where that depends on the distance alone.
  std::optional<std::vector<Range>> distances;
  Index blind = 0;  ///< queries that see no key up to their own
};

/// Walks through the rows, once. Refuses too many separate stretches of keys.
Result<CheckedMask> walk_mask(std::shared_ptr<const Mask> mask, Index window, const Work& work = {});

/// The walk through a plain_mask; the last few are kept, for curves, maps and remarks of the same values.
Result<std::shared_ptr<const CheckedMask>> checked_mask(const std::string& text, Index length, Index window,
                                                        const Work& work = {});

}  // namespace vqscope
