// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/pins_json.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/lint/lint_case.h"
#include "core/method/value_json.h"
#include "core/session/file/page_reader.h"
#include "core/session/file/view_json.h"
#include "core/session/page_parameters.h"
#include "core/session/resolve.h"

#include <algorithm>
#include <functional>

namespace vqscope {
namespace {

ParameterValues defaults_of(const Method& method, const ParameterValues& values) {
  return default_values(parameters_of(method, values));
}

JsonObject pin_json(const PinnedView& pin) {
  JsonObject object{{"method", pin.method}};
  const auto put = [&](const char* key, bool is_set, JsonValue value) {
    if (is_set) object.emplace(key, std::move(value));
  };
  if (const Method* method = find_method(pin.method))
    object.emplace("values", json_of(different(pin.values, defaults_of(*method, pin.values))));
  if (pin.minus) object.emplace("minus", json_of(different(*pin.minus, pin.values)));
  put("contract", !pin.lint.map().empty(), json_of(pin.lint));
  if (pin.view) object.emplace("view", view_json(*pin.view));
  put("aggregate", pin.aggregate != Aggregate::automatic, aggregate_names()[static_cast<std::size_t>(pin.aggregate)]);
  put("colour_map", !pin.colour_map.empty(), pin.colour_map);
  put("keep_aspect", pin.keep_aspect, pin.keep_aspect);
  if (pin.axes) object.emplace("axes", JsonArray{pin.axes->log_x, pin.axes->log_y});
  if (pin.sides != FigureSides()) object.emplace("sides", JsonArray{pin.sides.a, pin.sides.b});
  put("tokens", !pin.tokens.empty(), pin.tokens);
  put("title", !pin.labels.title.empty(), pin.labels.title);
  put("x_label", !pin.labels.x.empty(), pin.labels.x);
  put("y_label", !pin.labels.y.empty(), pin.labels.y);
  return object;
}

/// A method's values that the object names, and those of `base` or the defaults elsewhere. A value
/// may bring further parameters along.
Result<ParameterValues> values_in(const Method& method, const ConfigValue& json, const ParameterValues& base) {
  if (!json.object()) return wrong_json("values", json, "an object");
  const Members members = members_of(json);
  ParameterValues values = completed_values(parameters_of(method, base), base);
  std::vector<ParameterSpec> specs;
  for (int round = 0; round < most_rounds; ++round) {
    specs = parameters_of(method, values);
    ParameterValues next = completed_values(specs, values);
    for (const ParameterSpec& spec : specs)
      if (const ConfigValue* given = member(members, spec.name))
        if (auto value = read_value(spec, *given)) next.set(spec.name, std::move(*value));
    if (next == values) break;
    values = std::move(next);
  }
  for (const auto& [name, given] : members) {
    const ParameterSpec* spec = find_spec(specs, name);
    if (!spec) return invalid("unknown parameter {}", shortened(std::string(name)));
    if (auto value = read_value(*spec, *given); !value) return value.error();
  }
  return values;
}

Result<void> take_text(const ConfigValue& json, std::string& text) {
  if (!json.text()) return wrong_json(json.key, json, "a text");
  text = *json.text();
  return {};
}

/// Two values, each of which `take` takes into its place.
template <class Value, class Take>
Result<void> take_pair(const ConfigValue& json, Value& first, Value& last, const char* expected, const Take& take) {
  const auto* list = json.list();
  const bool is_pair = list && list->size() == 2 && take(list->front(), first) && take(list->back(), last);
  return is_pair ? Result<void>() : wrong_json(json.key, json, expected);
}

bool take_flag(const ConfigValue& json, bool& flag) {
  if (json.boolean()) flag = *json.boolean();
  return json.boolean() != nullptr;
}

Result<void> pin_lint(const ConfigValue& json, PinnedView& pin) {
  const auto specs = lint_parameters();
  for (const auto& [name, given] : members_of(json)) {
    const ParameterSpec* spec = find_spec(specs, name);
    auto value = spec ? read_value(*spec, *given) : Result<ParameterValue>(wrong_json(name, *given, "a known name"));
    if (!value) return value.error();
    pin.lint.set(spec->name, std::move(*value));
  }
  return {};
}

Result<void> pin_view(const ConfigValue& json, PinnedView& pin) {
  pin.view = view_in(json);
  return pin.view ? Result<void>()
                  : wrong_json("view", json, "an object with an ascending pair of numbers for rows and for cols");
}

Result<void> pin_aggregate(const ConfigValue& json, PinnedView& pin) {
  const auto& all = aggregate_names();
  const auto found = json.text() ? std::ranges::find(all, *json.text()) : all.end();
  if (found == all.end()) return wrong_json("aggregate", json, "one of " + join(all, ", "));
  pin.aggregate = static_cast<Aggregate>(found - all.begin());
  return {};
}

Result<void> pin_axes(const ConfigValue& json, PinnedView& pin) {
  CurveAxes axes;
  auto read = take_pair(json, axes.log_x, axes.log_y, "[log_x, log_y], each true or false", take_flag);
  if (read) pin.axes = axes;
  return read;
}

Result<void> pin_tokens(const ConfigValue& json, PinnedView& pin) {
  if (!json.list()) return wrong_json("tokens", json, "a list of texts");
  for (const ConfigValue& item : *json.list()) {
    if (!item.text()) return wrong_json("tokens", item, "a text");
    pin.tokens.push_back(*item.text());
  }
  return {};
}

struct PinMember {
  const char* key;
  std::function<Result<void>(const ConfigValue&, PinnedView&)> read;  ///< empty: it is read beforehand
};

const std::vector<PinMember>& pin_members() {
  static const std::vector<PinMember> all{
      {"method", nullptr},
      {"values", nullptr},
      {"minus", nullptr},
      {"contract", pin_lint},
      {"view", pin_view},
      {"aggregate", pin_aggregate},
      {"colour_map", [](const auto& json, auto& pin) { return take_text(json, pin.colour_map); }},
      {"keep_aspect",
       [](const auto& json, auto& pin) -> Result<void> {
         return take_flag(json, pin.keep_aspect) ? Result<void>() : wrong_json("keep_aspect", json, "true or false");
       }},
      {"axes", pin_axes},
      {"sides",
       [](const auto& json, auto& pin) {
         return take_pair(json, pin.sides.a, pin.sides.b, "two texts",
                          [](const auto& item, auto& text) { return static_cast<bool>(take_text(item, text)); });
       }},
      {"tokens", pin_tokens},
      {"title", [](const auto& json, auto& pin) { return take_text(json, pin.labels.title); }},
      {"x_label", [](const auto& json, auto& pin) { return take_text(json, pin.labels.x); }},
      {"y_label", [](const auto& json, auto& pin) { return take_text(json, pin.labels.y); }},
  };
  return all;
}

Error unknown_member(const std::string& key) {
  std::vector<std::string> known;
  for (const PinMember& each : pin_members()) known.emplace_back(each.key);
  return invalid("unknown name {}{}", shortened(key), did_you_mean(key, known));
}

Result<PinnedView> pin_in(const ConfigValue& json) {
  if (!json.object()) return wrong_json("it", json, "an object");
  PinnedView pin;
  const ConfigValue* id = json.find("method");
  if (!id || !id->text()) return invalid("method is missing");
  pin.method = *id->text();
  const auto method = require_method(pin.method);
  if (!method) return method.error();
  const ConfigValue* values = json.find("values");
  auto read = values ? values_in(**method, *values, {}) : Result<ParameterValues>(defaults_of(**method, {}));
  if (!read) return read.error();
  pin.values = std::move(*read);
  if (const ConfigValue* minus = json.find("minus")) {
    auto other = values_in(**method, *minus, pin.values);
    if (!other) return within("minus", other.error());
    pin.minus = std::move(*other);
  }
  for (const auto& each : json.object()->members) {
    const auto known = std::ranges::find_if(pin_members(), [&](const PinMember& one) { return one.key == each.key; });
    if (known == pin_members().end()) return unknown_member(each.key);
    if (!known->read) continue;
    if (auto taken = known->read(each, pin); !taken) return taken.error();
  }
  if (auto checked = check_pinned(pin); !checked) return checked.error();
  return pin;
}

}  // namespace

JsonArray pins_json(const std::vector<PinnedView>& pins) {
  JsonArray list;
  for (const PinnedView& pin : pins) list.emplace_back(pin_json(pin));
  return list;
}

void read_pins(const ConfigValue& root, std::vector<PinnedView>& pins, Notes& notes) {
  const ConfigValue* json = root.find("pins");
  if (!json) return;
  if (!json->list()) return notes.push_back(wrong_json("pins", *json, "a list of objects").message);
  std::size_t number = 0;
  for (const ConfigValue& item : *json->list()) {
    ++number;
    if (pins.size() == most_pinned_views)
      return notes.push_back(
          fmt::format("there are more than {} pinned views; the others were left out", most_pinned_views));
    auto pin = pin_in(item);
    if (pin)
      pins.push_back(std::move(*pin));
    else
      notes.push_back(fmt::format("pinned view {}: {}; it was left out", number, pin.error().message));
  }
}

}  // namespace vqscope
