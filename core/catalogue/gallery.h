// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery_values.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// start, model, masks, positions, and the rooms of added_parts().
std::span<const std::string> gallery_pages();

/// Names the key that is missing, unknown or wrong.
Result<GalleryEntry> read_gallery_entry(std::string_view id, std::string_view json);

/// All of them, in the order in which they are shown.
std::span<const GalleryEntry> gallery_entries();

/// The error names the nearest known id.
Result<const GalleryEntry*> require_gallery_entry(std::string_view id);

}  // namespace vqscope
