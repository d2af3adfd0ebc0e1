// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/verdict/verdict.h"

#include "core/base/sentence.h"
#include "core/method/method.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double unchanged = 0.02;  ///< of the larger value: the line "stays"
constexpr std::size_t most_lines = 4;

/// The first and the last point of a line that have a number.
std::pair<std::size_t, std::size_t> ends_of(const VerdictLine& line) {
  const auto finite = [](double y) { return std::isfinite(y); };
  const auto first = std::ranges::find_if(*line.y, finite);
  const auto last = std::find_if(line.y->rbegin(), line.y->rend(), finite);
  return {static_cast<std::size_t>(first - line.y->begin()), static_cast<std::size_t>(line.y->rend() - last) - 1};
}

/// "falls from 2.1 to 1.2 (1.1 to 1.3)".
std::string course_of(const VerdictLine& line) {
  const auto [first, last] = ends_of(line);
  const double from = line.at(first), to = line.at(last);
  const std::string band = line.band_at(last);
  if (first == last) return fmt::format("{} is {}{}", line.name, verdict_number(to), band);
  if (std::abs(to - from) <= unchanged * std::max(std::abs(from), std::abs(to)))
    return fmt::format("{} stays at {}{}", line.name, verdict_number(to), band);
  return fmt::format("{} {} from {} to {}{}", line.name, to < from ? "falls" : "rises", verdict_number(from),
                     verdict_number(to), band);
}

AxisTitle x_axis(const CurveSet& curves) {
  const std::string& title = curves.x_title.empty() ? curves.x_name : curves.x_title;
  return axis_title(title.empty() ? "x" : title);
}

std::string courses(const CurveSet& curves, const std::vector<VerdictLine>& lines) {
  std::vector<std::string> parts;
  std::size_t first = curves.x.size(), last = 0;
  for (const VerdictLine& line : lines) {
    parts.push_back(course_of(line));
    first = std::min(first, ends_of(line).first);
    last = std::max(last, ends_of(line).second);
  }
  const AxisTitle axis = x_axis(curves);
  const std::string where = first == last
                                ? fmt::format("at {} {}{}", axis.words, verdict_number(curves.x[last]), axis.unit)
                                : fmt::format("{} from {} to {}{}", axis.words, verdict_number(curves.x[first]),
                                              verdict_number(curves.x[last]), axis.unit);
  return fmt::format("{} ({})", listed(parts), where);
}

/// The ends of many lines, at the last x that all of them have.
std::string extremes(const CurveSet& curves, const std::vector<VerdictLine>& lines) {
  std::size_t at = curves.x.size() - 1;
  for (const VerdictLine& line : lines) at = std::min(at, ends_of(line).second);
  const auto by_value = [at](const VerdictLine& line) { return line.at(at); };
  std::vector<VerdictLine> known = lines;
  std::erase_if(known, [&](const VerdictLine& line) { return !std::isfinite(by_value(line)); });
  if (known.empty()) return {};
  const VerdictLine& least = *std::ranges::min_element(known, {}, by_value);
  const VerdictLine& greatest = *std::ranges::max_element(known, {}, by_value);
  const AxisTitle axis = x_axis(curves);
  const std::string what = axis_title(curves.y_title).words;
  return fmt::format("{} has the least {}, {}{}, and {} the greatest, {}{} (at {} {}{})", least.name,
                     what.empty() ? "value" : what, verdict_number(by_value(least)), least.band_at(at), greatest.name,
                     verdict_number(by_value(greatest)), greatest.band_at(at), axis.words, verdict_number(curves.x[at]),
                     axis.unit);
}

}  // namespace

std::string verdict_of(const Method& method, const CurveSet& curves) {
  const CurveRecipe* recipe = method.curves();
  return recipe && recipe->verdict ? recipe->verdict(curves) : std::string();
}

std::string general_verdict(const CurveSet& curves) {
  const auto lines = verdict_lines(curves);
  if (lines.empty()) return {};
  return (lines.size() > most_lines ? extremes(curves, lines) : courses(curves, lines)) + seeds_text(curves);
}

}  // namespace vqscope
