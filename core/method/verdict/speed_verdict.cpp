// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/method/verdict/verdict.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The first x from which on the line is below the other one to the end.
std::size_t below_from(const VerdictLine& line, const VerdictLine& other, std::size_t last) {
  std::size_t at = last;
  while (at > 0 && line.at(at - 1) < other.at(at - 1)) --at;
  return at;
}

}  // namespace

std::string speed_verdict(const CurveSet& curves) {
  auto lines = verdict_lines(curves);
  if (lines.size() < 2 || !curves.y_title.starts_with("seconds")) return general_verdict(curves);
  std::size_t last = curves.x.size() - 1;
  const auto known = [&](const VerdictLine& line) { return line.at(last) > 0; };
  while (last > 0 && !std::ranges::all_of(lines, known)) --last;
  if (!std::ranges::all_of(lines, known)) return general_verdict(curves);
  std::ranges::stable_sort(lines, {}, [last](const VerdictLine& line) { return line.at(last); });
  const VerdictLine& fastest = lines.front();
  std::vector<std::string> factors;
  std::size_t from = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    factors.push_back(
        fmt::format("{} times as fast as {}", verdict_number(lines[i].at(last) / fastest.at(last)), lines[i].name));
    from = std::max(from, below_from(fastest, lines[i], last));
  }
  const AxisTitle axis = axis_title(curves.x_title.empty() ? curves.x_name : curves.x_title);
  const std::string begin =
      from == 0 ? "at all measured lengths" : fmt::format("from {}{} on", verdict_number(curves.x[from]), axis.unit);
  return fmt::format("{} is the fastest {}; at {}{} it is {}", fastest.name, begin, verdict_number(curves.x[last]),
                     axis.unit, listed(factors));
}

}  // namespace vqscope
