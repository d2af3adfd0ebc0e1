// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/run/sweep.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace vqscope {
namespace {

bool is_number(const ParameterSpec& spec) {
  return spec.kind == ParameterKind::integer || spec.kind == ParameterKind::real;
}

double number_of(const ParameterValue& value) {
  const auto* whole = std::get_if<Index>(&value);
  return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

/// The step from one value of a range to the next.
struct Step {
  double by = 1;
  bool times = false;
};

std::optional<Step> parse_step(const ParameterSpec& spec, std::string_view text) {
  const bool times = text.starts_with('*');
  const auto by = parse_amount(times ? text.substr(1) : text);
  if (!by || !std::isfinite(*by) || *by <= (times ? 1 : 0)) return std::nullopt;
  if (!times && spec.kind == ParameterKind::integer && *by != std::floor(*by)) return std::nullopt;
  return Step{*by, times};
}

/// 0.3 for 0.1 + 2 · 0.1, which is 0.30000000000000004: the number of 15 digits, if it is much shorter.
double as_decimal(double value) {
  const auto near = parse_real(to_text(value, 15));
  return near && to_text(*near).size() + 3 < to_text(value).size() ? *near : value;
}

/// Each value is computed from the first one, not from the one before, so errors do not add up. An
/// end missed only by rounding is included.
double value_at(double first, const Step& step, Index i) {
  const auto times = static_cast<double>(i);
  return step.times ? first * std::pow(step.by, times) : first + step.by * times;
}

Result<std::vector<ParameterValue>> values_of_range(const ParameterSpec& spec, double first, double last,
                                                    const Step& step) {
  const double slack = 1e-9 * std::max(std::abs(first), std::abs(last));
  std::vector<ParameterValue> values;
  for (Index i = 0;; ++i) {
    double value = value_at(first, step, i);
    if (!(value <= last + slack)) return values;
    if (i == most_sweep_points)
      return too_large("--vary {} takes more than {} values; use a larger step", spec.name, most_sweep_points);
    if (spec.kind == ParameterKind::real) {
      values.emplace_back(std::min(as_decimal(value), last));
    } else if (ParameterValue whole = static_cast<Index>(std::llround(value));
               values.empty() || values.back() != whole) {
      values.push_back(std::move(whole));
    }
  }
}

Error refused_values(const ParameterSpec& spec, std::string_view text) {
  return invalid(
      "--vary {} is {}, a range must be lo:hi, lo:hi:step with a step above 0, or lo:hi:*factor with a factor above 1 "
      "and lo above 0",
      spec.name, shortened(text));
}

Result<std::vector<ParameterValue>> parse_range(const ParameterSpec& spec, std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() > 3) return refused_values(spec, text);
  const auto first = parse_value(spec, parts[0]);
  if (!first) return first.error();
  const auto last = parse_value(spec, parts[1]);
  if (!last) return last.error();
  const auto step = parts.size() == 3 ? parse_step(spec, trimmed(parts[2])) : Step{};
  const double begin = number_of(*first), end = number_of(*last);
  if (!step || (step->times && begin <= 0) || end < begin) return refused_values(spec, text);
  return values_of_range(spec, begin, end, *step);
}

}  // namespace

bool holds_commas(const ParameterSpec& spec) {
  return is_number_list(spec.kind) || spec.kind == ParameterKind::choice_set || spec.kind == ParameterKind::text;
}

Result<std::vector<ParameterValue>> parse_varied(const ParameterSpec& spec, std::string_view text) {
  if (is_number(spec) && text.find(':') != std::string_view::npos) return parse_range(spec, text);
  std::vector<ParameterValue> values;
  std::set<std::string> texts;
  for (const auto part : split(text, holds_commas(spec) ? ';' : ',')) {
    auto value = parse_value(spec, trimmed(part));
    if (!value) return value.error();
    const std::string formatted = format_value(*value);
    if (!texts.insert(formatted).second)
      return invalid("--vary {} has the value {} twice", spec.name, shortened(formatted));
    if (values.size() == most_sweep_points)
      return too_large("--vary {} has more than {} values", spec.name, most_sweep_points);
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace vqscope
