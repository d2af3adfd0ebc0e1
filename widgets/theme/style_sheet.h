// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

#include <QString>

namespace vqscope {

/// resources/themes/vqscope.qss with its @names replaced by colours and sizes.
///
/// Values of the dynamic property "class": labels `heading`, `title`, `secondary`, `error`,
/// `warning`, `good`, `badge`; buttons `segmented` (checkable, side by side in a frame of class
/// `segments`), `chip`, `primary`; line edits with the property "invalid" set to true.
QString styleSheet(const Palette& palette);

}  // namespace vqscope
