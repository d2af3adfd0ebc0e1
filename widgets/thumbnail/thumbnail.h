// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/thumbnail/thumbnail_request.h"

#include <QImage>

#include <stop_token>

namespace vqscope {

/// Any thread. Null: there is nothing to show, such as a measurement that was not carried out, or an error; or stopped.
QImage renderThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

}  // namespace vqscope
