// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

#include "core/base/sentence.h"
#include "core/config/config_doctor.h"
#include "core/config/family/config_keys.h"
#include "core/config/family/model_bounds.h"
#include "core/config/params/params_json.h"
#include "core/config/readers/reader_table.h"
#include "core/io/json/json_reader.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The first object with too many members among those whose members are read one by one; a
/// vocabulary beside them may have any size. `inside` an object that concerns positions, all
/// objects count.
const ConfigValue* oversized(const ConfigValue& object, bool inside) {
  const auto& members = object.object()->members;
  if (members.size() > most_config_members) return &object;
  for (const auto& member : members) {
    if (!member.object()) continue;
    const bool positions = inside || concerns_positions(member.key);
    if (!positions && std::ranges::count(text_model_keys(), member.key) == 0) continue;
    if (const auto* found = oversized(member, positions)) return found;
  }
  return nullptr;
}

Result<void> check_size(const ConfigValue& root) {
  const auto* object = oversized(root, false);
  if (!object) return {};
  return too_large("{}the object has {} members, at most {} are read", object->place.text(),
                   object->object()->members.size(), most_config_members);
}

}  // namespace

Result<ConfigReport> examine_model_config(const ConfigValue& root) {
  if (!root.object())
    return invalid("{}a model's config must be a JSON object, found {}", root.place.text(), root.shown());
  if (auto checked = check_size(root); !checked) return checked.error();
  if (is_params_json(root)) return examine_params_json(root);
  auto report = ConfigDoctor(root).examine();
  if (report) report->readers = read_reader_matrix(root, *report);
  return report;
}

Result<ConfigReport> read_model_config(std::string_view json) {
  const auto root = read_json(json, {.python_numbers = true});
  return root ? examine_model_config(*root) : root.error();
}

}  // namespace vqscope
