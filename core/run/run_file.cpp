// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_file.h"

#include "core/base/fingerprint.h"
#include "core/base/machine.h"
#include "core/base/sentence.h"
#include "core/io/json/json_reader.h"
#include "core/method/shared/earlier_values.h"
#include "core/method/value_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index run_format = 2;

constexpr std::string_view checksum_begin = "\"checksum\": \"";
constexpr std::string_view no_checksum = "0000000000000000";

/// Where the digits of the checksum are; npos: the text has none. The member is the first of its
/// object, and its quotation marks cannot be in a string of JSON.
std::size_t checksum_place(std::string_view text) {
  const std::size_t begin = text.find(checksum_begin);
  if (begin == std::string_view::npos) return begin;
  const std::size_t place = begin + checksum_begin.size();
  return place + no_checksum.size() <= text.size() ? place : std::string_view::npos;
}

/// Checksum of a text with zeros in the checksum's place.
std::string checksum_of(std::string_view text) {
  Fingerprint fingerprint;
  fingerprint.add(text);
  return fingerprint.text();
}

Result<void> check_checksum(std::string_view text) {
  const std::size_t place = checksum_place(text);
  if (place == std::string_view::npos) return invalid("\"checksum\" is damaged");
  std::string zeroed(text);
  const std::string given = zeroed.substr(place, no_checksum.size());
  zeroed.replace(place, no_checksum.size(), no_checksum);
  if (checksum_of(zeroed) == given) return {};
  return invalid("it does not match its checksum: it was changed or damaged after it was written");
}

JsonValue json_of(const Machine& machine) {
  return JsonObject{{"processor", machine.processor}, {"cores", machine.cores}, {"memory_bytes", machine.memory}};
}

JsonValue json_of(const std::vector<Curve>& curves) {
  JsonArray items;
  for (const auto& curve : curves) items.emplace_back(JsonObject{{"name", curve.name}, {"y", curve.y}});
  return items;
}

/// A list of pairs keeps the order; an object does not.
JsonValue json_of(const std::vector<std::pair<std::string, double>>& facts) {
  JsonArray items;
  for (const auto& [name, value] : facts) items.emplace_back(JsonObject{{"name", name}, {"value", value}});
  return items;
}

double number_or_gap(const ConfigValue& value) {
  return value.number().value_or(std::numeric_limits<double>::quiet_NaN());
}

Error missing(std::string_view name, std::string_view kind) {
  return invalid("\"{}\" is missing or not {}", name, kind);
}

Result<std::string> text_member(const ConfigValue& object, std::string_view name) {
  const auto* value = object.find(name);
  if (!value || !value->text()) return missing(name, "a text");
  return *value->text();
}

Result<std::vector<double>> numbers_member(const ConfigValue& object, std::string_view name) {
  const auto* value = object.find(name);
  if (!value || !value->list()) return missing(name, "a list of numbers");
  std::vector<double> numbers;
  for (const auto& item : *value->list()) {
    if (!item.is_null() && !item.number()) return missing(name, "a list of numbers");
    numbers.push_back(number_or_gap(item));
  }
  return numbers;
}

Result<std::vector<Curve>> curves_member(const ConfigValue& object, std::size_t points) {
  const auto* list = object.find("curves");
  if (!list || !list->list()) return missing("curves", "a list");
  std::vector<Curve> curves;
  for (const auto& item : *list->list()) {
    auto name = text_member(item, "name");
    if (!name) return name.error();
    auto y = numbers_member(item, "y");
    if (!y) return y.error();
    if (y->size() != points) return missing("y", "as long as x");
    curves.push_back({std::move(*name), std::move(*y)});
  }
  return curves;
}

Result<std::vector<std::pair<std::string, double>>> facts_member(const ConfigValue& object) {
  const auto* list = object.find("facts");
  if (!list || !list->list()) return missing("facts", "a list");
  std::vector<std::pair<std::string, double>> facts;
  for (const auto& item : *list->list()) {
    auto name = text_member(item, "name");
    const auto* value = item.find("value");
    if (!name || !value) return missing("facts", "a list of names with their values");
    facts.emplace_back(std::move(*name), number_or_gap(*value));
  }
  return facts;
}

/// The value as `--set` accepts it: lists with commas.
std::string value_text(const ConfigValue& value) {
  if (const auto* text = value.text()) return *text;
  if (const auto* truth = value.boolean()) return *truth ? "true" : "false";
  if (const auto* list = value.list()) {
    std::vector<std::string> items;
    for (const auto& item : *list) items.push_back(value_text(item));
    return join(items, ",");
  }
  if (const auto* whole = std::get_if<Index>(&value.data)) return to_text(*whole);
  return to_text(number_or_gap(value));
}

/// Reads the optional parts of a file.
void read_origin(const ConfigValue& json, StoredRun& run) {
  const auto text_of = [](const ConfigValue* value) { return value && value->text() ? *value->text() : std::string(); };
  const auto truth_of = [](const ConfigValue* value, bool other) {
    return value && value->boolean() ? *value->boolean() : other;
  };
  if (const auto* values = json.find("parameters"); values && values->object())
    for (const auto& member : values->object()->members) run.values[member.key] = value_text(member);
  if (const auto* seconds = json.find("seconds")) run.seconds = seconds->number().value_or(0);
  if (const auto* machine = json.find("machine")) run.processor = text_of(machine->find("processor"));
  run.version = text_of(json.find("version"));
  run.when = text_of(json.find("when"));
  run.y_title = text_of(json.find("y_title"));
  run.log_x = truth_of(json.find("log_x"), false);
  run.log_y = truth_of(json.find("log_y"), false);
  run.complete = truth_of(json.find("complete"), true);
  run.looks = read_looks(json);
}

/// As run_id makes it.
std::string id_of(const StoredRun& run) {
  Fingerprint fingerprint;
  fingerprint.add(run.method);
  for (const auto& [name, value] : run.values) {
    fingerprint.add(name);
    fingerprint.add(value);
  }
  return fingerprint.text();
}

bool alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool alike(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return alike(x, y); });
}

}  // namespace

bool operator==(const StoredRun& a, const StoredRun& b) {
  const auto same_curve = [](const Curve& x, const Curve& y) { return x.name == y.name && alike(x.y, y.y); };
  const auto same_fact = [](const auto& x, const auto& y) { return x.first == y.first && alike(x.second, y.second); };
  return a.id == b.id && a.method == b.method && a.x_name == b.x_name && alike(a.x, b.x) &&
         std::ranges::equal(a.curves, b.curves, same_curve) && std::ranges::equal(a.facts, b.facts, same_fact);
}

std::string run_text(const Run& run) {
  JsonObject object{{"vqscope_run", run_format},
                    {"id", run.id},
                    {"method", run.method},
                    {"checksum", std::string(no_checksum)},
                    {"parameters", vqscope::json_of(run.values)},
                    {"x_name", run.curves.x_name},
                    {"x", run.curves.x},
                    {"curves", json_of(run.curves.curves)},
                    {"facts", json_of(run.curves.facts)},
                    {"seconds", run.seconds},
                    {"machine", json_of(this_machine())},
                    {"version", run.version}};
  if (!run.curves.y_title.empty()) object.emplace("y_title", run.curves.y_title);
  if (run.curves.log_x) object.emplace("log_x", true);
  if (run.curves.log_y) object.emplace("log_y", true);
  add_looks(object, run.curves);
  if (!run.when.empty()) object.emplace("when", run.when);
  if (!run.complete) object.emplace("complete", false);
  std::string text = indented_json(object);
  text.replace(checksum_place(text), no_checksum.size(), checksum_of(text));
  return text;
}

Result<StoredRun> read_run(std::string_view text) {
  auto json = read_json(text);
  if (!json) return json.error();
  const auto* kind = json->find("vqscope_run");
  const auto format = kind ? kind->integer() : std::nullopt;
  if (!format || *format < 1 || *format > run_format)
    return invalid("it is not a run of vqscope (\"vqscope_run\": 1 or 2)");
  const bool renamed = *format == 1 && rename_norms(*json);
  if (json->find("checksum"))
    if (auto checked = check_checksum(text); !checked) return checked.error();
  StoredRun run;
  for (auto [name, member] : {std::pair{"id", &run.id}, {"method", &run.method}, {"x_name", &run.x_name}}) {
    auto read = text_member(*json, name);
    if (!read) return read.error();
    *member = std::move(*read);
  }
  auto x = numbers_member(*json, "x");
  if (!x) return x.error();
  run.x = std::move(*x);
  auto curves = curves_member(*json, run.x.size());
  if (!curves) return curves.error();
  run.curves = std::move(*curves);
  auto facts = facts_member(*json);
  if (!facts) return facts.error();
  run.facts = std::move(*facts);
  read_origin(*json, run);
  if (renamed) run.id = id_of(run);
  return run;
}

}  // namespace vqscope
