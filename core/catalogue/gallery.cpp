// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/gallery.h"

#include "core/base/sentence.h"
#include "core/catalogue/compiled_gallery_files.h"
#include "core/catalogue/gallery_values.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/io/json/json_reader.h"
#include "core/lint/lint_case.h"
#include "core/method/value_json.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 3> compare_names{"none", "side_by_side", "difference"};

constexpr std::array<std::string_view, 15> entry_keys{"order",  "title",  "note",    "try",     "source",
                                                      "page",   "method", "values",  "compare", "other",
                                                      "expect", "view",   "configs", "picture", "kept"};

Result<void> read_texts(const ConfigValue& json, GalleryEntry& entry) {
  for (const auto& [key, text] : {std::pair{"title", &entry.title},
                                  {"note", &entry.note},
                                  {"try", &entry.what_to_try},
                                  {"source", &entry.source},
                                  {"page", &entry.page}}) {
    const ConfigValue* value = json.find(key);
    if (!value || !value->text() || value->text()->empty()) return invalid("{} is missing but must be a text", key);
    *text = *value->text();
  }
  if (std::ranges::count(gallery_pages(), entry.page) == 0)
    return invalid("page is {} but must be one of {}", shortened(entry.page), join(gallery_pages(), ", "));
  const ConfigValue* order = json.find("order");
  if (!order || !order->integer()) return invalid("order is missing but must be an integer");
  entry.order = *order->integer();
  return {};
}

Result<void> read_compare(const ConfigValue& json, GalleryEntry& entry) {
  const ConfigValue* value = json.find("compare");
  if (!value) return {};
  const auto found = value->text() ? std::ranges::find(compare_names, *value->text()) : compare_names.end();
  if (found == compare_names.end())
    return invalid("compare is {} but must be none, side_by_side or difference", value->shown());
  entry.compare = static_cast<GalleryCompare>(found - compare_names.begin());
  return {};
}

Result<void> read_view(const ConfigValue& json, GalleryEntry& entry) {
  const ConfigValue* value = json.find("view");
  if (!value) return {};
  std::vector<double> ends;
  if (value->list())
    for (const ConfigValue& end : *value->list()) ends.push_back(end.number().value_or(NAN));
  if (ends.size() != 4 || !(ends[0] < ends[1]) || !(ends[2] < ends[3]))
    return invalid("view is {} but must be first row, last row, first column, last column", value->shown());
  entry.view = std::move(ends);
  return {};
}

Result<void> read_method(const ConfigValue& json, GalleryEntry& entry) {
  const ConfigValue* method = json.find("method");
  if (!method) return {};
  auto shown = read_gallery_picture(json);
  if (!shown) return shown.error();
  entry.shown = std::move(*shown);
  if (const ConfigValue* other = json.find("other")) {
    auto values = read_gallery_values(*entry.shown.method, *other, entry.shown.values);
    if (!values) return values.error();
    entry.other = std::move(*values);
  }
  if (const ConfigValue* expect = json.find("expect")) {
    auto values = read_set_values(lint_parameters(), *expect);
    if (!values) return values.error();
    entry.expect = std::move(*values);
  }
  return {};
}

Result<void> read_configs(const ConfigValue& json, GalleryEntry& entry) {
  if (const ConfigValue* configs = json.find("configs")) {
    for (const ConfigValue& name : configs->list() ? *configs->list() : ConfigValue::List{})
      entry.configs.push_back(name.text() ? *name.text() : std::string());
    if (entry.configs.empty() || entry.configs.size() > 2)
      return invalid("configs is {} but must be a list of one or two names", configs->shown());
  }
  if (entry.shown.method || !entry.configs.empty()) return {};
  return invalid("method is missing, and so is configs");
}

Result<void> read_thumbnail(const ConfigValue& json, GalleryEntry& entry) {
  if (const ConfigValue* picture = json.find("picture")) {
    auto read = read_gallery_picture(*picture);
    if (!read) return Error{read.error().code, "picture: " + read.error().message};
    entry.picture = std::move(*read);
  }
  if (const ConfigValue* kept = json.find("kept")) {
    auto read = read_kept_curves(*kept);
    if (!read) return Error{read.error().code, "kept: " + read.error().message};
    entry.kept = std::move(*read);
  }
  return {};
}

}  // namespace

std::span<const std::string> gallery_pages() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> pages{"start", "model", "masks", "positions"};
    for (const Part& part : added_parts())
      for (const RoomInfo& room : part.rooms) pages.push_back(room.id);
    return pages;
  }();
  return all;
}

Result<GalleryEntry> read_gallery_entry(std::string_view id, std::string_view json) {
  const auto read = read_json(json);
  if (!read) return read.error();
  if (auto checked = check_keys(*read, "entry", entry_keys); !checked) return checked.error();
  GalleryEntry entry;
  entry.id = id;
  for (const auto part : {read_texts, read_compare, read_view, read_method, read_configs, read_thumbnail})
    if (auto done = part(*read, entry); !done) return done.error();
  return entry;
}

std::span<const GalleryEntry> gallery_entries() {
  static const std::vector<GalleryEntry> all = [] {
    std::vector<GalleryEntry> entries;
    const auto add = [&](std::span<const CompiledFile> files) {
      for (const CompiledFile& file : files) {
        auto entry = read_gallery_entry(file.name, file.text);
        assert(entry);  // a test reads each
        if (entry) entries.push_back(std::move(*entry));
      }
    };
    add(compiled_gallery_files);
    for (const Part& part : added_parts()) add(part.gallery);
    std::ranges::stable_sort(entries, {}, &GalleryEntry::order);
    return entries;
  }();
  return all;
}

Result<const GalleryEntry*> require_gallery_entry(std::string_view id) {
  return require_entry(gallery_entries(), id, "gallery entry", std::string(left_out_remark()));
}

}  // namespace vqscope
