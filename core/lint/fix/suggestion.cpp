// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/suggestion.h"

#include "core/base/sentence.h"
#include "core/lint/lint_case.h"

#include <algorithm>
#include <span>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t longest_list = 12;  ///< of numbers that are named one by one

const std::vector<Index>* list_of(const SuggestedValue& setting) {
  return setting.value ? std::get_if<std::vector<Index>>(&*setting.value) : nullptr;
}

bool is_long(const SuggestedValue& setting) {
  const auto* list = list_of(setting);
  return list && list->size() > longest_list;
}

/// "128, 128, 256", "128, 128, 256, … (40 numbers)".
std::string spaced(const SuggestedValue& setting) {
  const auto* list = list_of(setting);
  if (!list) return format_value(*setting.value);
  constexpr std::size_t named_of_many = 3;
  std::vector<std::string> items;
  for (const Index item : std::span(*list).first(is_long(setting) ? named_of_many : list->size()))
    items.push_back(to_text(item));
  if (is_long(setting)) items.push_back(fmt::format("… ({} numbers)", list->size()));
  return join(items, ", ");
}

}  // namespace

bool Suggestion::is_complete() const {
  return !settings.empty() &&
         std::ranges::all_of(settings, [](const SuggestedValue& each) { return each.value.has_value(); });
}

bool Suggestion::is_of_sequence() const {
  static const std::vector<ParameterSpec> expected = lint_parameters();
  return std::ranges::any_of(settings, [](const SuggestedValue& each) { return !find_spec(expected, each.name); });
}

const SuggestedValue* Suggestion::find(std::string_view name) const {
  const auto at = std::ranges::find(settings, name, &SuggestedValue::name);
  return at == settings.end() ? nullptr : &*at;
}

std::string Suggestion::text() const {
  std::vector<std::string> parts;
  for (const SuggestedValue& each : settings)
    parts.push_back(each.value ? each.name + " = " + spaced(each) : each.name);
  return listed(parts);
}

std::string Suggestion::words() const {
  std::vector<std::string> parts;
  for (const SuggestedValue& each : settings) {
    parts.push_back(each.value && !is_long(each) ? each.name + "=" + format_value(*each.value) : each.name);
  }
  return listed(parts);
}

std::string Suggestion::arguments() const {
  std::vector<std::string> parts;
  for (const SuggestedValue& each : settings)
    parts.push_back(
        fmt::format("--{} {}={}", list_of(each) ? "array" : "set", each.name, shell_word(format_value(*each.value))));
  return join(parts, " ");
}

Suggestion suggest(std::string name, std::optional<ParameterValue> value) {
  return {{{std::move(name), std::move(value)}}};
}

}  // namespace vqscope
