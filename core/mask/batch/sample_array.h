// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Whole numbers of the tokens of one sequence, [T], or of each sample of a batch, [B, T].
struct SampleArray {
  std::vector<Index> shape;  ///< one or two sides, none of them 0
  std::vector<Index> values;

  bool is_table() const { return shape.size() == 2; }
  /// B, and 1 for a list.
  Index samples() const { return is_table() ? shape.front() : 1; }
  /// T.
  Index length() const { return shape.back(); }
  /// A list serves every sample, as does a table of one row.
  std::span<const Index> row(Index sample) const;
};

/// Whether `text` names a file of an array and is no list.
bool names_array_file(std::string_view text);

/// Reads 1,2,3, or [[0, 1], [0, 1]], or a file: whole numbers of any dtype and truth values, as 0
/// and 1. Errors name the file, or begin with `name`.
Result<SampleArray> read_sample_array(std::string_view name, const std::string& text);

}  // namespace vqscope
