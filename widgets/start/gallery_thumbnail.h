// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery.h"
#include "widgets/thumbnail/thumbnail_request.h"

namespace vqscope {

/// The thumbnail of an entry in the current theme; `pixels` are those of the device.
ThumbnailRequest galleryThumbnail(const GalleryEntry& entry, const QSize& pixels, double pixelRatio);

}  // namespace vqscope
