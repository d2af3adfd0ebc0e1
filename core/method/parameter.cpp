// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/parameter.h"

#include "core/base/sentence.h"
#include "core/method/parameter_label.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

template <class T>
const T& require(const ParameterValues& values, std::string_view name) {
  const auto* value = values.find(name);
  assert(value && std::holds_alternative<T>(*value));
  return std::get<T>(*value);
}

std::string bound_text(double bound) {
  return bound == std::floor(bound) && std::abs(bound) < 1e15 ? to_text(static_cast<Index>(bound)) : to_text(bound);
}

std::string range_text(const ParameterSpec& spec) {
  return fmt::format("{} to {}", bound_text(spec.minimum), bound_text(spec.maximum));
}

std::vector<std::string> choice_ids(const ParameterSpec& spec) {
  std::vector<std::string> ids;
  for (const auto& choice : spec.choices) ids.push_back(choice.id);
  return ids;
}

/// Characters of a sentence that has at most 400: choices may be many, and some are a text's own.
constexpr std::size_t longest_allowed = 240;

Error refused(const ParameterSpec& spec, std::string_view given, std::string_view hint = {}) {
  return invalid("{} is {} but must be {}{}", shortened(spec.name), given.empty() ? "empty" : shortened(given),
                 shortened(allowed(spec), longest_allowed), hint);
}

Error refused_choice(const ParameterSpec& spec, std::string_view given) {
  return refused(spec, given, did_you_mean(given, choice_ids(spec)));
}

bool in_range(const ParameterSpec& spec, double value) { return value >= spec.minimum && value <= spec.maximum; }

bool is_choice(const ParameterSpec& spec, std::string_view id) {
  return std::ranges::any_of(spec.choices, [&](const Choice& choice) { return choice.id == id; });
}

bool has_one_of(const ParameterValue& value, const std::vector<std::string>& values) {
  const auto wanted = [&](const std::string& text) { return std::ranges::count(values, text) > 0; };
  if (const auto* set = std::get_if<std::vector<std::string>>(&value)) return std::ranges::any_of(*set, wanted);
  return wanted(format_value(value));
}

bool holds(const Relevance& relevance, const ParameterValues& values) {
  const auto* value = values.find(relevance.name);
  if (!value || has_one_of(*value, relevance.values)) return true;
  const auto* other = relevance.also.empty() ? nullptr : values.find(relevance.also);
  return other && has_one_of(*other, relevance.values);
}

/// Of "[1, 2]" what stands within.
std::string_view without_brackets(std::string_view text) {
  text = trimmed(text);
  return text.starts_with('[') && text.ends_with(']') ? trimmed(text.substr(1, text.size() - 2)) : text;
}

std::vector<std::string_view> list_items(std::string_view text) {
  text = without_brackets(text);
  return text.empty() ? std::vector<std::string_view>{} : split(text, ',');
}

Result<ParameterValue> parse_boolean(const ParameterSpec& spec, std::string_view text) {
  for (const auto yes : {"true", "True", "1", "yes", "on"})
    if (text == yes) return ParameterValue(true);
  for (const auto no : {"false", "False", "0", "no", "off"})
    if (text == no) return ParameterValue(false);
  return refused(spec, text);
}

template <class T>
std::string numbers_text(const std::vector<T>& numbers) {
  std::string text;
  for (const T number : numbers) text += (text.empty() ? "" : ",") + to_text(number);
  return text;
}

template <class T>
Result<ParameterValue> parse_list(const ParameterSpec& spec, std::string_view text,
                                  std::optional<T> (*parse)(std::string_view)) {
  std::vector<T> items;
  for (const auto item : list_items(text)) {
    const auto value = parse(item);
    if (!value) return refused(spec, text);
    items.push_back(*value);
  }
  return ParameterValue(std::move(items));
}

template <class T>
Result<void> check_list(const ParameterSpec& spec, const std::vector<T>& items, std::string_view what) {
  if (static_cast<Index>(items.size()) > spec.most_items)
    return invalid("{} has {} items, at most {} are allowed", shortened(spec.name), items.size(), spec.most_items);
  for (const T item : items)
    if (!in_range(spec, static_cast<double>(item)))
      return invalid("{} has the item {}, each must be {} from {}", shortened(spec.name), item, what, range_text(spec));
  return {};
}

/// As list_items; a comma within brackets belongs to the choice: or_masks(a, b).
std::vector<std::string_view> choice_items(std::string_view text) {
  std::vector<std::string_view> items;
  text = without_brackets(text);
  if (text.empty()) return items;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (text[at] != ',' || depth > 0) continue;
    items.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  items.push_back(text.substr(begin));
  return items;
}

/// In the order of ParameterValue's types.
constexpr std::array kinds_of_values{ParameterKind::integer,  ParameterKind::real,       ParameterKind::boolean,
                                     ParameterKind::choice,   ParameterKind::choice_set, ParameterKind::integer_list,
                                     ParameterKind::real_list};

}  // namespace

ParameterSpec make_parameter(std::string name, std::string group, std::string help, ParameterSpec rest) {
  rest.name = std::move(name);
  rest.group = std::move(group);
  rest.help = std::move(help);
  if (rest.label.empty()) rest.label = parameter_label(rest.name);
  if (rest.kind == ParameterKind::integer) rest.kind = kinds_of_values[rest.default_value.index()];
  return rest;
}

void add_parameter(std::vector<ParameterSpec>& specs, std::string name, std::string group, std::string help,
                   ParameterSpec rest) {
  specs.push_back(make_parameter(std::move(name), std::move(group), std::move(help), std::move(rest)));
}

const ParameterValue* ParameterValues::find(std::string_view name) const {
  const auto it = m_map.find(name);
  return it == m_map.end() ? nullptr : &it->second;
}

Index ParameterValues::integer(std::string_view name) const { return require<Index>(*this, name); }
double ParameterValues::real(std::string_view name) const { return require<double>(*this, name); }
bool ParameterValues::boolean(std::string_view name) const { return require<bool>(*this, name); }
const std::string& ParameterValues::choice(std::string_view name) const { return require<std::string>(*this, name); }
const std::vector<std::string>& ParameterValues::choices(std::string_view name) const {
  return require<std::vector<std::string>>(*this, name);
}
const std::vector<Index>& ParameterValues::integers(std::string_view name) const {
  return require<std::vector<Index>>(*this, name);
}

const std::vector<double>& ParameterValues::reals(std::string_view name) const {
  return require<std::vector<double>>(*this, name);
}

const ParameterSpec* find_spec(std::span<const ParameterSpec> specs, std::string_view name) {
  const auto it = std::ranges::find(specs, name, &ParameterSpec::name);
  return it == specs.end() ? nullptr : &*it;
}

ParameterValues default_values(std::span<const ParameterSpec> specs, const ParameterValues::Map& set) {
  ParameterValues values;
  for (const auto& spec : specs) values.set(spec.name, spec.default_value);
  for (const auto& [name, value] : set) values.set(name, value);
  return values;
}

bool is_relevant(const ParameterSpec& spec, const ParameterValues& values) {
  return std::ranges::all_of(spec.relevant, [&](const Relevance& relevance) { return holds(relevance, values); });
}

Result<void> check_relevant(const ParameterSpec& spec, const ParameterValues& values) {
  const auto* value = values.find(spec.name);
  if (!value || *value == spec.default_value) return {};
  const auto is = [&](const std::string& name) {
    const std::string shown = format_value(*values.find(name));
    return fmt::format("{} is {}", shortened(name), shown.empty() ? "empty" : shortened(shown));
  };
  for (const auto& relevance : spec.relevant)
    if (!holds(relevance, values))
      return invalid("{} is not used while {}{}", shortened(spec.name), is(relevance.name),
                     values.find(relevance.also) ? " and " + is(relevance.also) : "");
  return {};
}

std::string allowed(const ParameterSpec& spec) {
  switch (spec.kind) {
    case ParameterKind::integer: return "an integer from " + range_text(spec);
    case ParameterKind::real: return "a number from " + range_text(spec);
    case ParameterKind::boolean: return "true or false";
    case ParameterKind::choice: return "one of " + join(choice_ids(spec), ", ");
    case ParameterKind::choice_set: return "a comma-separated list of " + join(choice_ids(spec), ", ");
    case ParameterKind::integer_list: return "a comma-separated list of integers from " + range_text(spec);
    case ParameterKind::real_list: return "a comma-separated list of numbers from " + range_text(spec);
    case ParameterKind::text:
      return fmt::format("a text of at most {} bytes{}", spec.most_items,
                         spec.choices.empty() ? "" : ", such as " + join(choice_ids(spec), ", "));
    case ParameterKind::tensor: return "FILE or FILE:NAME[layer,head] of a NumPy, safetensors or torch file";
  }
  return {};
}

Result<ParameterValue> parse_value(const ParameterSpec& spec, std::string_view text) {
  if (spec.kind == ParameterKind::text) return ParameterValue(std::string(text));
  text = trimmed(text);
  switch (spec.kind) {
    case ParameterKind::text: break;
    case ParameterKind::tensor:
    case ParameterKind::choice: return ParameterValue(std::string(text));
    case ParameterKind::integer: {
      if (text == "None" && spec.automatic == text) return spec.default_value;
      const auto named = std::ranges::find(spec.choices, text, &Choice::id);
      if (named != spec.choices.end()) return ParameterValue(static_cast<Index>(named - spec.choices.begin()));
      const auto value = parse_count(text);
      if (!value) return refused(spec, text);
      return ParameterValue(*value);
    }
    case ParameterKind::real: {
      const auto value = parse_amount(text);
      if (!value) return refused(spec, text);
      return ParameterValue(*value);
    }
    case ParameterKind::boolean: return parse_boolean(spec, text);
    case ParameterKind::choice_set: {
      std::vector<std::string> ids;
      for (const auto item : choice_items(text)) ids.emplace_back(trimmed(item));
      return ParameterValue(std::move(ids));
    }
    case ParameterKind::integer_list: return parse_list<Index>(spec, text, parse_count);
    case ParameterKind::real_list: return parse_list<double>(spec, text, parse_amount);
  }
  return refused(spec, text);
}

std::string format_value(const ParameterValue& value) {
  struct Formatter {
    std::string operator()(Index v) const { return to_text(v); }
    std::string operator()(double v) const { return to_text(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::string>& v) const { return join(v, ","); }
    std::string operator()(const std::vector<Index>& v) const { return numbers_text(v); }
    std::string operator()(const std::vector<double>& v) const { return numbers_text(v); }
  };
  return std::visit(Formatter{}, value);
}

Result<void> check_value(const ParameterSpec& spec, const ParameterValue& value) {
  if (value.index() != spec.default_value.index()) return refused(spec, format_value(value));
  switch (spec.kind) {
    case ParameterKind::integer: {
      const auto number = std::get<Index>(value);
      if (!in_range(spec, static_cast<double>(number))) return refused(spec, to_text(number));
      return {};
    }
    case ParameterKind::real: {
      const auto number = std::get<double>(value);
      if (!in_range(spec, number)) return refused(spec, to_text(number));
      return {};
    }
    case ParameterKind::boolean: return {};
    case ParameterKind::choice: {
      const auto& id = std::get<std::string>(value);
      if (!is_choice(spec, id)) return refused_choice(spec, id);
      return {};
    }
    case ParameterKind::choice_set:
      for (const auto& id : std::get<std::vector<std::string>>(value))
        if (!is_choice(spec, id)) return refused_choice(spec, id);
      return {};
    case ParameterKind::integer_list: return check_list(spec, std::get<std::vector<Index>>(value), "an integer");
    case ParameterKind::real_list: return check_list(spec, std::get<std::vector<double>>(value), "a number");
    case ParameterKind::text:
    case ParameterKind::tensor:
      if (const auto bytes = static_cast<Index>(std::get<std::string>(value).size()); bytes > spec.most_items)
        return invalid("{} has {} bytes but must be {}", spec.name, bytes, allowed(spec));
      return {};
  }
  return {};
}

Result<void> check_values(std::span<const ParameterSpec> specs, const ParameterValues& values) {
  for (const auto& [name, value] : values.map()) {
    const auto* spec = find_spec(specs, name);
    if (!spec) {
      std::vector<std::string> names;
      for (const auto& known : specs) names.push_back(known.name);
      return invalid("unknown parameter {}{}", shortened(name), did_you_mean(name, names));
    }
    if (auto checked = check_value(*spec, value); !checked) return checked;
  }
  for (const auto& spec : specs)
    if (!values.find(spec.name))
      return invalid("parameter {} is missing but must be {}", shortened(spec.name), allowed(spec));
  return {};
}

}  // namespace vqscope
