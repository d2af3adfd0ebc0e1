// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/thumbnail/thumbnail_request.h"

#include <QImage>

#include <stop_token>

namespace vqscope {

/// The whole matrix of a field method, or A − B. The difference of two masks is mask A, with red cells that only A
/// shows and orange cells that only B shows.
QImage fieldThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

}  // namespace vqscope
