// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/gallery_list.h"

#include "app/cli/output/method_text.h"

#include "core/base/text.h"
#include "core/method/value_json.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The method, or the configs.
std::string shownBy(const GalleryEntry& entry) {
  return entry.shown.method ? entry.shown.method->id : join(entry.configs, " ");
}

const char* name_of(GalleryCompare compare) {
  switch (compare) {
    case GalleryCompare::side_by_side: return "side_by_side";
    case GalleryCompare::difference: return "difference";
    case GalleryCompare::none: break;
  }
  return "none";
}

JsonObject entryToJson(const GalleryEntry& entry) {
  JsonObject json{{"id", entry.id},           {"title", entry.title},   {"note", entry.note},
                  {"try", entry.what_to_try}, {"source", entry.source}, {"page", entry.page}};
  if (!entry.configs.empty()) json.emplace("configs", entry.configs);
  if (!entry.shown.method) return json;
  json.emplace("method", entry.shown.method->id);
  json.emplace("values", json_of(entry.shown.values));
  json.emplace("compare", name_of(entry.compare));
  if (entry.compare != GalleryCompare::none) json.emplace("other", json_of(entry.other));
  if (!entry.expect.map().empty()) json.emplace("expect", json_of(entry.expect));
  return json;
}

}  // namespace

std::string galleryLines() {
  std::size_t ids = 0, pages = 0, shown = 0;
  for (const GalleryEntry& entry : gallery_entries()) {
    ids = std::max(ids, entry.id.size());
    pages = std::max(pages, entry.page.size());
    shown = std::max(shown, shownBy(entry).size());
  }
  std::string text;
  for (const GalleryEntry& entry : gallery_entries())
    text += padded(entry.id, ids) + padded(entry.page, pages) + padded(shownBy(entry), shown) + entry.title + "\n";
  return text;
}

JsonArray galleryToJson() {
  JsonArray array;
  for (const GalleryEntry& entry : gallery_entries()) array.push_back(entryToJson(entry));
  return array;
}

}  // namespace vqscope
