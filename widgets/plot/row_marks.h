// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QString>

#include <optional>
#include <vector>

namespace vqscope {

/// A yes or no of each row of a matrix, shown beside it: which queries have a loss.
struct RowMarks {
  QString title;
  std::vector<bool> rows;
  friend bool operator==(const RowMarks&, const RowMarks&) = default;
};

/// Which queries have a loss, by the labels and the loss mask stated of a page of masks, whose matrix has that many
/// rows; nothing where none are given or they do not fit.
std::optional<RowMarks> lossMarks(const WorkspaceState& page, Index rows);

}  // namespace vqscope
