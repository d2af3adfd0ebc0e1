// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"

#include <stop_token>

namespace vqscope {

/// How many cells of a block have each label. Exact where the field can count or the block has at
/// most `most_cells` cells; else of a sample, and false. Stopped: incomplete.
bool count_labels_of(const Field& field, const Rect& block, Index most_cells, const std::stop_token& stop,
                     LabelCounts& out);

/// The label of most cells, the smallest of several; `counts` must not be empty.
std::int32_t most_frequent(const LabelCounts& counts);

}  // namespace vqscope
