// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_phase_field.h"

namespace vqscope {

/// What there is to say about cell (row, col), which shows `value`.
CellReport rope_report(const RopePicture& picture, Index row, Index col, double value);

/// The border above the first row whose position reaches the training length.
std::vector<Mark> rope_marks(const RopePicture& picture);

}  // namespace vqscope
