// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/suggestion.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace vqscope {
namespace {

bool is_parameter(std::string_view name) {
  static const std::vector<ParameterSpec> expected = lint_parameters();
  constexpr std::array<std::string_view, 4> of_sequence{"padding", "padding_side", "document_lengths", "past_len"};
  return find_spec(expected, name) || std::ranges::count(of_sequence, name) > 0;
}

bool is_name_part(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
bool is_value_part(char c) { return is_name_part(c) || (c >= '0' && c <= '9') || c == '-'; }

/// Takes the longest front of `rest` whose characters fit.
std::string take_while(std::string_view& rest, bool (*fits)(char)) {
  const auto end = std::ranges::find_if_not(rest, fits);
  const std::string taken(rest.begin(), end);
  rest.remove_prefix(taken.size());
  return taken;
}

/// "window=129, sinks=4 and padding=3" as far as it goes.
Suggestion read_settings(std::string_view rest) {
  Suggestion read;
  while (true) {
    std::string_view next = rest;
    for (const std::string_view between : {", ", " and "})
      if (!read.values.empty() && next.starts_with(between)) next.remove_prefix(between.size());
    const std::string name = take_while(next, is_name_part);
    const auto known = [&](const auto& value) { return value.first == name; };
    if (!is_parameter(name) || std::ranges::any_of(read.values, known)) return read;
    std::string value;
    if (next.starts_with('=')) {
      next.remove_prefix(1);
      value = take_while(next, is_value_part);
    }
    read.values.emplace_back(name, value);
    rest = next;
  }
}

}  // namespace

bool Suggestion::is_complete() const {
  return !values.empty() && std::ranges::none_of(values, [](const auto& value) { return value.second.empty(); });
}

std::string Suggestion::text() const {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(value.empty() ? name : name + " = " + value);
  return join(parts, ", ");
}

std::vector<Suggestion> suggestions_of(const Finding& finding, const LintCase& given) {
  std::vector<Suggestion> all;
  if (finding.severity != Severity::question) return all;
  constexpr std::string_view before = "set ";
  const std::string_view sentence = finding.sentence;
  for (auto at = sentence.find(before); at != std::string_view::npos; at = sentence.find(before, at + 1)) {
    if (at > 0 && sentence[at - 1] != ' ') continue;
    if (auto read = read_settings(sentence.substr(at + before.size())); !read.values.empty())
      all.push_back(std::move(read));
  }
  const bool names_another = sentence.find("; the text names ") != std::string_view::npos;
  if (names_another && given.named_window) all.insert(all.begin(), {{{"window", to_text(given.named_window->value)}}});
  return all;
}

}  // namespace vqscope
