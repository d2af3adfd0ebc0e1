// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/typed_setting.h"

#include "core/base/text.h"
#include "core/base/word_match.h"
#include "core/method/free_name.h"

namespace vqscope {
namespace {

constexpr std::size_t most_begun = 3;
constexpr std::size_t longest = 4096;  // of what is typed

enum class NameMatch { none, begun, whole };

NameMatch match_name(const ParameterSpec& spec, const WordText& typed) {
  const std::string_view free = free_name_of(spec.name);
  for (const std::string_view name :
       {std::string_view(spec.name), std::string_view(spec.label), std::string_view(spec.short_label), free})
    if (!name.empty() && WordText(name).letters == typed.letters) return NameMatch::whole;
  if (typed.letters.size() < 2) return NameMatch::none;
  const WordText shown(spec.label + " " + spec.name);
  return match_words(typed, shown).at_word_starts ? NameMatch::begun : NameMatch::none;
}

/// Whether a text after a blank is meant as a value: "go to cell" sets nothing.
bool reads_as_value(const ParameterSpec& spec, std::string_view text) {
  switch (spec.kind) {
    case ParameterKind::integer:
    case ParameterKind::real: return parse_amount(text).has_value();
    case ParameterKind::boolean: return parse_value(spec, text).has_value();
    case ParameterKind::integer_list:
    case ParameterKind::real_list: return parse_value(spec, text).has_value() && !trimmed(text).empty();
    default: return false;
  }
}

Result<ParameterValue> checked_value(const ParameterSpec& spec, std::string_view text) {
  auto value = parse_value(spec, text);
  if (!value) return value;
  if (auto checked = check_value(spec, *value); !checked) return checked.error();
  return value;
}

/// Adds the parameters with the name, as far as the value suits them.
void add_named(std::span<const ParameterSpec> specs, std::string_view name, std::string_view value, bool assigned,
               std::vector<TypedSetting>& whole, std::vector<TypedSetting>& begun) {
  const WordText words(name);
  if (words.letters.empty() || trimmed(value).empty()) return;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!assigned && !reads_as_value(specs[i], value)) continue;
    const NameMatch match = match_name(specs[i], words);
    if (match == NameMatch::whole) whole.push_back({i, true, checked_value(specs[i], value)});
    if (match == NameMatch::begun && begun.size() < most_begun)
      begun.push_back({i, false, checked_value(specs[i], value)});
  }
}

}  // namespace

std::vector<TypedSetting> typed_settings(std::span<const ParameterSpec> specs, std::string_view typed) {
  typed = trimmed(typed);
  std::vector<TypedSetting> whole, begun;
  if (typed.size() > longest) return whole;
  if (const auto equals = typed.find('='); equals != std::string_view::npos) {
    add_named(specs, typed.substr(0, equals), typed.substr(equals + 1), true, whole, begun);
  } else {
    // The longest name first: "cache offset 5" is no list after "cache".
    for (auto at = typed.rfind(' '); at != std::string_view::npos && at > 0 && whole.empty() && begun.empty();
         at = typed.rfind(' ', at - 1))
      add_named(specs, typed.substr(0, at), typed.substr(at + 1), false, whole, begun);
  }
  return whole.empty() ? begun : whole;
}

std::optional<TypedLength> typed_length(std::string_view typed) {
  typed = trimmed(typed);
  const auto at = typed.rfind(' ');
  if (at == std::string_view::npos || typed.size() > longest) return std::nullopt;
  const std::string_view words = trimmed(typed.substr(0, at)), length = typed.substr(at + 1);
  if (WordText(words).letters.empty() || !parse_count(length)) return std::nullopt;
  return TypedLength{std::string(words), std::string(length)};
}

}  // namespace vqscope
