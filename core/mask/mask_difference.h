// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/mask.h"

#include <functional>

namespace vqscope {

struct MaskCell {
  Index q = 0;
  Index kv = 0;
  friend bool operator==(const MaskCell&, const MaskCell&) = default;
};

/// Where two masks of one extent disagree.
struct MaskComparison {
  std::uint64_t only_first = 0;   ///< cells that only the first sees
  std::uint64_t only_second = 0;  ///< cells that only the second sees
  std::optional<MaskCell> first;  ///< the first such cell, row by row
  bool first_sees = false;        ///< whether it is the first mask that sees that cell
  Index rows = 0;                 ///< rows [0, rows) were compared
  bool complete = true;           ///< false: the other rows would have taken too long
  double steps_of_all = 0;        ///< about what all rows take, of a part

  /// For the rows that were compared.
  bool equal() const { return only_first == 0 && only_second == 0; }
  /// "3 cells visible only in the first, 0 cells only in the second; the first that differs is
  /// query 5, key 3, …"
  std::string sentence(const std::string& first_name = "the first",
                       const std::string& second_name = "the second") const;
};

struct CompareControl {
  std::function<void(double fraction)> progress;  ///< 0 to 1, on the caller's thread
  std::stop_token stop;
  Index most_steps = most_steps_of_an_answer;
};

/// Exact: by bands where both masks have them, else by the intervals of each row, as far as the
/// steps last. Masks of different extents are refused with both named; a stop gives
/// Errc::cancelled, and steps for not even a part of the rows Errc::too_large.
Result<MaskComparison> compare_masks(const Mask& first, const Mask& second, const CompareControl& control = {});

}  // namespace vqscope
