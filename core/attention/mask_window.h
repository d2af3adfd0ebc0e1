// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/local_bias.h"
#include "core/mask/mask.h"

#include <memory>
#include <optional>
#include <string>

namespace vqscope {

/// The most tokens for a mask whose rows are not solved: the checks below take T² steps then.
inline constexpr Index most_unsolved_tokens = 4096;

/// A mask over `length` tokens from a text of the mask language that leaves nothing free. Errors begin with `mask`.
Result<std::shared_ptr<const Mask>> text_mask(const std::string& text, Index length);

/// Whether the keys farther than `window` behind are visible to every query, or to none: B is then constant there.
/// `largest` is infinity where it is not; `first` is the first such distance of the query that the sentence names.
WindowCheck check_window(const Mask& mask, Index window);

/// The distances behind a query that are visible, ascending, where that depends on the distance alone.
std::optional<std::vector<Range>> visible_distances(const Mask& mask);

/// A text_mask with both checks of it.
struct CheckedMask {
  std::shared_ptr<const Mask> mask;
  WindowCheck hypothesis;
  std::optional<std::vector<Range>> distances;
  Index blind = 0;  ///< queries that see no key up to their own
};

/// The last few are kept: every edit of a form asks again and again.
Result<std::shared_ptr<const CheckedMask>> checked_mask(const std::string& text, Index length, Index window);

}  // namespace vqscope
