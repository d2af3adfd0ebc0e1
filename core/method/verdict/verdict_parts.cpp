// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/verdict/verdict_parts.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double least_grouped = 1000;

double value_at(const std::vector<double>* y, std::size_t i) { return y && i < y->size() ? (*y)[i] : no_value; }

}  // namespace

double VerdictLine::at(std::size_t i) const { return value_at(y, i); }

std::string VerdictLine::band_at(std::size_t i) const {
  const double low = value_at(least, i), high = value_at(greatest, i);
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  return fmt::format(" ({} to {})", verdict_number(low), verdict_number(high));
}

std::vector<VerdictLine> verdict_lines(const CurveSet& curves) {
  std::vector<VerdictLine> lines;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const Curve& curve = curves.curves[i];
    const bool empty = std::ranges::none_of(curve.y, [](double y) { return std::isfinite(y); });
    if (empty || curves.is_edge(i)) continue;
    VerdictLine line{.name = curve.name, .y = &curve.y};
    const auto band = std::ranges::find(curves.bands, i, &CurveBand::of);
    if (band != curves.bands.end()) {
      line.least = &curves.curves[band->least].y;
      line.greatest = &curves.curves[band->greatest].y;
    }
    lines.insert(curves.principal == i ? lines.begin() : lines.end(), std::move(line));
  }
  return lines;
}

std::vector<std::string> take_failed(std::vector<VerdictLine>& lines) {
  std::vector<std::string> ids;
  std::erase_if(lines, [&](const VerdictLine& line) {
    if (!line.name.ends_with(failed_ending)) return false;
    ids.push_back(line.name.substr(0, line.name.size() - failed_ending.size()));
    return true;
  });
  return ids;
}

std::string verdict_number(double value) {
  if (std::abs(value) >= least_grouped && std::abs(value) < 1e15) return grouped(std::llround(value));
  return to_text(value, 3);
}

AxisTitle axis_title(std::string_view title) {
  const std::size_t open = title.rfind(" (");
  if (open == std::string_view::npos || !title.ends_with(')')) return {std::string(title), {}};
  const std::string_view unit = title.substr(open + 2, title.size() - open - 3);
  return {std::string(title.substr(0, open)), fmt::format(" {}", unit)};
}

std::optional<std::size_t> marked_index(const CurveSet& curves) {
  if (curves.marks.empty()) return std::nullopt;
  const auto at = std::ranges::find(curves.x, curves.marks.front().x);
  if (at == curves.x.end()) return std::nullopt;
  return static_cast<std::size_t>(at - curves.x.begin());
}

std::optional<double> fact_of(const CurveSet& curves, std::string_view name) {
  const auto fact = std::ranges::find(curves.facts, name, &std::pair<std::string, double>::first);
  if (fact == curves.facts.end() || !std::isfinite(fact->second)) return std::nullopt;
  return fact->second;
}

std::string seeds_text(const CurveSet& curves) {
  const auto seeds = fact_of(curves, "seeds");
  if (!seeds) return {};
  return *seeds == 1 ? "; one seed" : fmt::format("; {} seeds", plain_text(*seeds));
}

std::string multiple_text(const CurveSet& curves, std::size_t base, std::size_t at) {
  return verdict_number(curves.x[at] / curves.x[base]) + "×";
}

}  // namespace vqscope
