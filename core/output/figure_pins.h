// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

namespace vqscope {

/// The view of a figure as a session keeps it: the values and the look, without results.
PinnedView pin_of(const FigurePanel& panel);

/// The view that a session keeps, whose method exists.
FigurePanel panel_of(const PinnedView& pin);

}  // namespace vqscope
