// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/relative/relative_function.h"

#include <memory>

namespace vqscope {

/// f on relative positions up to 0; no values beyond.
RelativeFunction past_part(const RelativeFunction& f);

/// The cells of keys that a causal query sees, col <= past_len + row; the others are NaN, which
/// summaries leave out. Exact where `field` is a function of relative position; else the tiles on
/// the diagonal are looked at cell by cell.
std::shared_ptr<const Field> make_past_part(std::shared_ptr<const Field> field, Index past_len);

}  // namespace vqscope
