// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/thumbnail/thumbnail_request.h"

#include <QImage>

#include <stop_token>

namespace vqscope {

/// The layers of each config as columns, from the first to the last: how far a layer attends is the height of its
/// column, on a log scale up to the longest sequence; its kind is the colour. Two configs stand one above the other.
QImage layerThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

}  // namespace vqscope
