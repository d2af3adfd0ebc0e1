// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QString>

#include <optional>
#include <vector>

namespace vqscope {

/// A flag for each row of a matrix, shown beside it: which queries have a loss.
struct RowMarks {
  QString title;
  std::vector<bool> rows;
  friend bool operator==(const RowMarks&, const RowMarks&) = default;
};

/// The queries with a loss, from the labels and the loss mask of the expected mask; the matrix has that many rows. Null
/// if neither is given or they do not fit.
std::optional<RowMarks> lossMarks(const ShownPage& page, Index rows);

}  // namespace vqscope
