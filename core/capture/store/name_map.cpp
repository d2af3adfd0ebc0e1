// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/name_map.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

constexpr std::size_t most_map_bytes = std::size_t{1} << 20;
constexpr std::string_view hole = "{layer}";
constexpr std::size_t most_digits = 9;

Result<TensorRole> role_in(const ConfigValue* value, const std::string& where) {
  const std::string* text = value ? value->text() : nullptr;
  if (const auto role = text ? tensor_role_of(*text) : std::nullopt) return *role;
  std::vector<std::string> names;
  for (const TensorRole role : tensor_roles) names.emplace_back(name_of(role));
  return invalid("{}: the tensor is {} but must be one of {}", where, value ? value->shown() : "missing",
                 listed(names));
}

}  // namespace

Result<NameMap> NameMap::read(const std::string& text, const std::string& path) {
  const auto root = read_json(text, {.most_bytes = most_map_bytes});
  if (!root) return within(path, root.error());
  if (!root->object()) return invalid("{} must be an object of names in braces", path);
  NameMap map;
  for (const ConfigValue& member : root->object()->members) {
    const std::string where = path + ": " + shortened(member.key);
    const auto role = role_in(member.object() ? member.find("tensor") : &member, where);
    if (!role) return role.error();
    Entry entry{member.key, {}, *role, {}};
    const std::size_t at = member.key.find(hole);
    const ConfigValue* layer = member.find("layer");
    if (at != std::string::npos) {
      entry.before = member.key.substr(0, at);
      entry.behind = member.key.substr(at + hole.size());
    } else {
      entry.layer = layer ? layer->integer() : std::nullopt;
      if (entry.layer.value_or(-1) < 0)
        return invalid("{}: the name must have {} where the number of the layer stands, or a \"layer\" from 0 on",
                       where, hole);
    }
    map.m_entries.push_back(std::move(entry));
  }
  return map;
}

Result<NameMap> NameMap::of_folder(const std::string& folder) {
  const std::string path = folder + "/" + name_map_file;
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return NameMap{};
  const auto text = read_text(path, most_map_bytes);
  if (!text) return within(shown_path(path), text.error());
  return read(*text, shown_path(path));
}

std::optional<ForeignTensor> NameMap::find(std::string_view name) const {
  for (const Entry& entry : m_entries) {
    if (entry.layer && name == entry.before) return ForeignTensor{*entry.layer, entry.role};
    const std::size_t around = entry.before.size() + entry.behind.size();
    if (entry.layer || name.size() <= around || name.size() > around + most_digits) continue;
    if (!name.starts_with(entry.before) || !name.ends_with(entry.behind)) continue;
    const auto layer = name.substr(entry.before.size(), name.size() - around);
    if (std::all_of(layer.begin(), layer.end(), [](char c) { return c >= '0' && c <= '9'; }))
      if (const auto number = parse_index(layer)) return ForeignTensor{*number, entry.role};
  }
  return std::nullopt;
}

}  // namespace vqscope
