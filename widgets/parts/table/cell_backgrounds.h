// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;

namespace vqscope {

/// Paints the backgrounds of items, which the style sheet leaves out. The selection covers them.
void paintBackgrounds(QAbstractItemView& view);

}  // namespace vqscope
