// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/local_bias.h"
#include "core/base/work.h"
#include "core/mask/mask.h"

#include <memory>
#include <optional>
#include <string>

namespace vqscope {

/// Results of checking all rows of a mask.
struct CheckedMask {
  std::shared_ptr<const Mask> mask;
  /// Whether the keys beyond the window are visible to every query or to none, so that B is
  /// constant there. Otherwise `largest` is infinity, and `first` is the first differing distance
  /// of the query that the sentence names.
  WindowCheck hypothesis;
  /// Visible distances, ascending, if visibility depends on the distance alone.
  std::optional<std::vector<Range>> distances;
  Index blind = 0;  ///< queries that see no key up to their own
};

/// Goes through all rows once. Refuses too many separate ranges of visible keys.
Result<CheckedMask> walk_mask(std::shared_ptr<const Mask> mask, Index window, const Work& work = {});

/// walk_mask for a plain_mask. Caches the last few results for curves, maps and remarks of the same
/// values.
Result<std::shared_ptr<const CheckedMask>> checked_mask(const std::string& text, Index length, Index window,
                                                        const Work& work = {});

}  // namespace vqscope
