// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads sweep.json.
#include "core/base/sentence.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "core/method/shared/earlier_values.h"
#include "core/run/sweep_folder.h"

namespace vqscope {
namespace {

constexpr Index sweep_format = 2;

JsonObject texts_of(const ParameterValues& values) {
  JsonObject object;
  for (const auto& [name, value] : values.map()) object.emplace(name, format_value(value));
  return object;
}

JsonArray texts_of(const std::vector<Varied>& all) {
  JsonArray items;
  for (const auto& varied : all) {
    std::vector<std::string> texts;
    for (const auto& value : varied.values) texts.push_back(format_value(value));
    items.emplace_back(JsonObject{{"name", varied.name}, {"values", texts}});
  }
  return items;
}

Error damaged(std::string_view member) { return invalid("\"{}\" is missing or invalid", member); }

/// Parameters that other values bring along become known once those values are set.
Result<ParameterValues> read_fixed(const ConfigValue& json, const Method& method) {
  const auto* set = json.find("set");
  if (!set || !set->object()) return damaged("set");
  ParameterValues values = default_values(method.parameters);
  std::vector<const ConfigValue*> left;
  for (const auto& member : set->object()->members) left.push_back(&member);
  while (!left.empty()) {
    const auto specs = parameters_of(method, values);
    std::vector<const ConfigValue*> unknown;
    for (const auto* member : left) {
      const auto* spec = find_spec(specs, member->key);
      if (!spec) {
        unknown.push_back(member);
        continue;
      }
      if (!member->text()) return damaged(member->key);
      auto value = parse_value(*spec, *member->text());
      if (!value) return value.error();
      values.set(spec->name, std::move(*value));
    }
    if (unknown.size() == left.size())
      return invalid("unknown parameter {} of {}", shortened(unknown.front()->key), method.id);
    left = std::move(unknown);
  }
  return values;
}

Result<Varied> read_varied(const ConfigValue& item, std::span<const ParameterSpec> specs, const std::string& owner) {
  const auto* name = item.find("name");
  const auto* texts = item.find("values");
  if (!name || !name->text() || !texts || !texts->list()) return damaged("vary");
  const auto* spec = find_spec(specs, *name->text());
  if (!spec) return invalid("unknown parameter {} of {}", shortened(*name->text()), owner);
  Varied varied{spec->name, {}};
  for (const auto& text : *texts->list()) {
    if (!text.text()) return damaged("vary");
    auto value = parse_value(*spec, *text.text());
    if (!value) return value.error();
    varied.values.push_back(std::move(*value));
  }
  return varied;
}

}  // namespace

std::string sweep_text(const Sweep& sweep) {
  return indented_json(JsonObject{{"vqscope_sweep", sweep_format},
                                  {"method", sweep.method->id},
                                  {"set", texts_of(sweep.fixed)},
                                  {"vary", texts_of(sweep.varied)}});
}

Result<Sweep> read_sweep(std::string_view text, const FindMethod& find) {
  auto json = read_json(text);
  if (!json) return json.error();
  const auto* kind = json->find("vqscope_sweep");
  const auto format = kind ? kind->integer() : std::nullopt;
  if (!format || *format < 1 || *format > sweep_format)
    return invalid("it is not a sweep of vqscope (\"vqscope_sweep\": 1 or 2)");
  if (*format == 1) rename_norms(*json);
  const auto* id = json->find("method");
  if (!id || !id->text()) return damaged("method");
  const auto method = find(*id->text());
  if (!method) return method.error();
  auto fixed = read_fixed(*json, **method);
  if (!fixed) return fixed.error();
  Sweep sweep{.method = *method, .fixed = std::move(*fixed), .varied = {}};
  const auto* vary = json->find("vary");
  if (!vary || !vary->list()) return damaged("vary");
  const auto specs = parameters_of(**method, sweep.fixed);
  for (const auto& item : *vary->list()) {
    auto varied = read_varied(item, specs, (*method)->id);
    if (!varied) return varied.error();
    sweep.varied.push_back(std::move(*varied));
  }
  if (auto checked = check_sweep(sweep); !checked) return checked.error();
  return sweep;
}

}  // namespace vqscope
