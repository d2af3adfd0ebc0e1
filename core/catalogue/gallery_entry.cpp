// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/gallery_entry.h"

namespace vqscope {

ParameterValues GalleryPicture::complete(const ParameterValues& also) const {
  ParameterValues all = values;
  for (const auto& [name, value] : also.map()) all.set(name, value);
  return method ? completed_values(parameters_of(*method, all), all) : all;
}

}  // namespace vqscope
