// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail_request.h"

namespace vqscope {

bool ThumbnailRequest::isLike(const ThumbnailRequest& with) const {
  return method == with.method && values == with.values && other == with.other && difference == with.difference &&
         pixels == with.pixels && theme == with.theme;
}

}  // namespace vqscope
