// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery.h"
#include "core/io/json/json_value.h"

#include <string>

namespace vqscope {

/// One line for each entry of the gallery: id, page, what it shows and title.
std::string galleryLines();

/// The contents of each entry's file, without the thumbnail.
JsonArray galleryToJson();

}  // namespace vqscope
