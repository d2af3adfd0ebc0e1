// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery_values.h"
#include "core/session/session.h"

namespace vqscope {

/// State of a gallery entry: the page of its method with what the entry sets, and the subject.
struct GalleryState {
  ShownPage page;
  Subject subject;
};

/// State of an entry with a method. The values that pages share are set for all pages; nothing else
/// is left of what was set before.
GalleryState gallery_state(const GalleryEntry& entry);

}  // namespace vqscope
