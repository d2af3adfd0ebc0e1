// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/gallery_state.h"

#include "core/session/resolve.h"

#include <algorithm>

namespace vqscope {

GalleryState gallery_state(const GalleryEntry& entry) {
  const Method& method = *entry.shown.method;
  GalleryState state{default_page(*page_of(method)), {}};
  ShownPage& page = state.page;
  const auto& choices = find_page_info(page.id)->choices();
  if (std::ranges::count(choices, method.id) > 0) page.method = method.id;
  for (const auto& [name, value] : entry.shown.values.map())
    (is_linked(page, name) ? state.subject.values : page.own).set(name, value);
  page.compare = static_cast<CompareMode>(entry.compare);
  page.other = entry.other;
  for (const auto& [name, value] : entry.expect.map()) page.lint.set(name, value);
  if (entry.view.size() == 4) page.view = ViewRange{entry.view[0], entry.view[1], entry.view[2], entry.view[3]};
  resolve_page(page, state.subject);
  return state;
}

}  // namespace vqscope
