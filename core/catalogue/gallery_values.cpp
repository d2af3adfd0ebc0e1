// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/gallery_values.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/method/value_json.h"

namespace vqscope {
namespace {

/// A list of texts as one text of several lines; other values as they are.
ConfigValue with_joined_lines(const ParameterSpec& spec, const ConfigValue& json) {
  if (spec.kind != ParameterKind::text || !json.list()) return json;
  std::string text;
  for (const ConfigValue& line : *json.list()) {
    if (!line.text()) return json;
    text += *line.text() + '\n';
  }
  ConfigValue joined = json;
  joined.data = std::move(text);
  return joined;
}

/// Those of `json` that `specs` have and allow, over `values`; the first that they do not is the
/// error.
Result<void> take_values(std::span<const ParameterSpec> specs, const ConfigValue& json, ParameterValues& values) {
  Result<void> taken;
  const auto fail = [&](const Error& error) {
    if (taken) taken = error;
  };
  for (const ConfigValue& member : json.object()->members) {
    const ParameterSpec* spec = find_spec(specs, member.key);
    if (!spec) {
      fail(invalid("unknown parameter {} in {}", shortened(member.key), json.key));
      continue;
    }
    auto value = read_value(*spec, with_joined_lines(*spec, member));
    if (value)
      values.set(spec->name, std::move(*value));
    else
      fail(value.error());
  }
  return taken;
}

Result<std::vector<double>> numbers_of(const ConfigValue* json, std::string_view key) {
  if (!json || !json->list()) return invalid("{} is missing but must be a list of numbers", key);
  std::vector<double> numbers;
  for (const ConfigValue& item : *json->list()) {
    if (!item.is_null() && !item.number()) return invalid("{} has {} but must be numbers", key, item.shown());
    numbers.push_back(item.number().value_or(no_value));
  }
  return numbers;
}

}  // namespace

ParameterValues GalleryPicture::complete(const ParameterValues& also) const {
  ParameterValues all = values;
  for (const auto& [name, value] : also.map()) all.set(name, value);
  return method ? completed_values(parameters_of(*method, all), all) : all;
}

Result<ParameterValues> read_set_values(std::span<const ParameterSpec> specs, const ConfigValue& json) {
  if (!json.object()) return invalid("{} is {} but must be an object", json.key, json.shown());
  ParameterValues values;
  if (auto taken = take_values(specs, json, values); !taken) return taken.error();
  return values;
}

Result<ParameterValues> read_gallery_values(const Method& method, const ConfigValue& json,
                                            const ParameterValues& beneath) {
  if (!json.object()) return invalid("{} is {} but must be an object", json.key, json.shown());
  ParameterValues values = beneath, own;
  // Names and ranges may depend on values, such as on a mask's text, which are known only after the
  // first look.
  (void)take_values(method.parameters, json, values);
  const auto specs = parameters_of(method, values);
  if (auto taken = take_values(specs, json, values); !taken) return taken.error();
  if (auto checked = check_method_values(method, completed_values(specs, values)); !checked) return checked.error();
  for (const ConfigValue& member : json.object()->members) own.set(member.key, *values.find(member.key));
  return own;
}

Result<GalleryPicture> read_gallery_picture(const ConfigValue& json) {
  const ConfigValue* id = json.find("method");
  if (!id || !id->text()) return invalid("method is missing but must be a text");
  const auto method = require_method(*id->text());
  if (!method) return method.error();
  GalleryPicture picture{*method, {}};
  const ConfigValue* values = json.find("values");
  if (!values) return picture;
  auto read = read_gallery_values(**method, *values);
  if (!read) return read.error();
  picture.values = std::move(*read);
  return picture;
}

Result<CurveSet> read_kept_curves(const ConfigValue& json) {
  CurveSet set;
  auto x = numbers_of(json.find("x"), "x");
  if (!x) return x.error();
  set.x = std::move(*x);
  const ConfigValue* curves = json.find("curves");
  if (!curves || !curves->list()) return invalid("curves is missing but must be a list of lists");
  for (const ConfigValue& curve : *curves->list()) {
    auto y = numbers_of(&curve, "a curve");
    if (!y) return y.error();
    if (y->size() != set.x.size())
      return invalid("a curve has {} numbers but must have {} like x", y->size(), set.x.size());
    set.curves.push_back({{}, std::move(*y)});
  }
  const ConfigValue* log_x = json.find("log_x");
  set.log_x = log_x && log_x->boolean() && *log_x->boolean();
  if (const ConfigValue* mark = json.find("mark"); mark && mark->number()) set.marks.push_back({*mark->number(), {}});
  return set;
}

}  // namespace vqscope
