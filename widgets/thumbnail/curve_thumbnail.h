// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/thumbnail/thumbnail_request.h"

#include <QImage>

namespace vqscope {

/// The first curves of the set as lines over an axis, in the colours of plots, without words.
QImage curveThumbnail(const CurveSet& curves, const ThumbnailRequest& request);

}  // namespace vqscope
