// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_chart.h"

#include "core/base/sentence.h"
#include "core/export/csv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace vqscope {
namespace {

constexpr std::string_view seed = "seed";

/// A value missing from a run, as in runs of older versions, differs from every value.
std::string value_of(const KeptRun& run, const std::string& name) {
  const auto found = run.run.values.find(name);
  return found == run.run.values.end() ? "(none)" : found->second;
}

std::vector<std::string> varied_names(const std::vector<KeptRun>& runs) {
  std::set<std::string> names, varied;
  for (const auto& run : runs)
    for (const auto& [name, value] : run.run.values) names.insert(name);
  for (const auto& name : names)
    for (const auto& run : runs)
      if (name != seed && value_of(run, name) != value_of(runs.front(), name)) varied.insert(name);
  return {varied.begin(), varied.end()};
}

std::string label_of(const KeptRun& run, const std::vector<std::string>& varied) {
  std::vector<std::string> parts;
  for (const auto& name : varied) parts.push_back(name + "=" + shortened(value_of(run, name), 24));
  return join(parts, " ");
}

/// Statistics of y over the runs at one x; gaps do not count.
struct Moments {
  Index count = 0;
  double mean = 0, squares = 0;
  double least = std::numeric_limits<double>::infinity(), greatest = -least;

  /// Welford's update.
  void add(double y) {
    if (!std::isfinite(y)) return;
    ++count;
    const double before = y - mean;
    mean += before / static_cast<double>(count);
    squares += before * (y - mean);
    least = std::min(least, y);
    greatest = std::max(greatest, y);
  }
};

CurveSpread spread_of(const std::string& name, const std::vector<const Curve*>& curves) {
  CurveSpread spread{.name = name, .runs = static_cast<Index>(curves.size())};
  for (std::size_t i = 0; i < curves.front()->y.size(); ++i) {
    Moments at;
    for (const auto* curve : curves) at.add(curve->y[i]);
    spread.mean.push_back(at.count > 0 ? at.mean : no_value);
    spread.least.push_back(at.count > 0 ? at.least : no_value);
    spread.greatest.push_back(at.count > 0 ? at.greatest : no_value);
    spread.deviation.push_back(at.count > 1 ? std::sqrt(at.squares / static_cast<double>(at.count - 1)) : no_value);
  }
  return spread;
}

/// Whether the curve is in the run only as an edge of a band.
bool is_edge(const StoredRun& run, const std::string& curve) {
  return std::ranges::any_of(run.looks.bands,
                             [&](const auto& band) { return band.least == curve || band.greatest == curve; });
}

/// Adds the spreads in the order of first appearance. `alone`: the run is the only one in the
/// chart, so its bands are shown.
void add_spreads(RunChart& chart, const std::string& label, const std::vector<const KeptRun*>& group, bool alone) {
  std::vector<std::string> names;
  for (const auto* run : group)
    for (const auto& curve : run->run.curves)
      if ((alone || !is_edge(run->run, curve.name)) && std::ranges::find(names, curve.name) == names.end())
        names.push_back(curve.name);
  for (const auto& name : names) {
    std::vector<const Curve*> curves;
    for (const auto* run : group)
      for (const auto& curve : run->run.curves)
        if (curve.name == name) curves.push_back(&curve);
    chart.spreads.push_back(spread_of(label.empty() ? name : fmt::format("{} · {}", name, label), curves));
  }
}

std::string remark_of(const std::vector<KeptRun>& runs, const std::vector<std::string>& varied) {
  const auto stopped = std::ranges::count_if(runs, [](const KeptRun& run) { return !run.run.complete; });
  std::string text;
  if (varied.size() > 1)
    text = "The runs differ in more than one parameter: " + shortened(join(varied, ", "), 200);
  else if (varied.size() == 1)
    text = "The runs differ in " + varied.front();
  else if (runs.size() > 1)
    text = "The runs differ in at most the seed";
  if (stopped > 0) text += fmt::format("{}{} of them stopped before the end", text.empty() ? "" : "; ", stopped);
  return text;
}

/// Adds the means, each with least and greatest if it has several runs.
void add_curves(RunChart& chart) {
  auto& set = chart.curves;
  for (const auto& spread : chart.spreads) {
    const std::size_t of = set.curves.size();
    set.curves.push_back({spread.name, spread.mean});
    if (spread.runs < 2) continue;
    set.bands.push_back({of, of + 1, of + 2});
    set.curves.push_back({spread.name + ", least", spread.least});
    set.curves.push_back({spread.name + ", greatest", spread.greatest});
  }
}

/// Gaps for the x of other runs, before and after a run's own. Refuses runs with other x between.
Result<void> align(std::vector<KeptRun>& runs) {
  if (std::ranges::all_of(runs, [&](const KeptRun& kept) { return kept.run.x == runs.front().run.x; })) return {};
  std::vector<double> all;
  for (const KeptRun& kept : runs) all.insert(all.end(), kept.run.x.begin(), kept.run.x.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (auto& [name, run, note] : runs) {
    if (run.x == all) continue;
    const auto at = run.x.empty() ? all.end() : std::ranges::find(all, run.x.front());
    const bool within = std::ranges::is_sorted(run.x) && std::ssize(run.x) <= all.end() - at;
    if (!within || !std::equal(run.x.begin(), run.x.end(), at))
      return invalid("run {} has different values of {} than the others", shortened(name), shortened(run.x_name));
    const auto before = static_cast<std::size_t>(at - all.begin());
    for (Curve& curve : run.curves) {
      curve.y.insert(curve.y.begin(), before, no_value);
      curve.y.resize(all.size(), no_value);
    }
    run.x = all;
  }
  return {};
}

}  // namespace

Result<RunChart> chart_of(std::vector<KeptRun> runs) {
  if (runs.empty()) return invalid("a chart needs at least one run");
  for (const auto& [name, run, note] : runs) {
    const StoredRun& begin = runs.front().run;
    if (run.method != begin.method)
      return invalid("runs of different experiments cannot share a chart: {} and {}", begin.method, run.method);
    if (run.x_name != begin.x_name)
      return invalid("run {} has different values of {} than {}", shortened(name), shortened(begin.x_name),
                     shortened(runs.front().name));
  }
  if (auto aligned = align(runs); !aligned) return aligned.error();
  const StoredRun& first = runs.front().run;
  RunChart chart{.varied = varied_names(runs)};
  std::vector<std::pair<std::string, std::vector<const KeptRun*>>> groups;
  for (const auto& run : runs) {
    const std::string label = label_of(run, chart.varied);
    auto group = std::ranges::find(groups, label, [](const auto& pair) { return pair.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {label, {}});
    group->second.push_back(&run);
  }
  for (const auto& [label, group] : groups) add_spreads(chart, label, group, runs.size() == 1);
  RunLooks looks = first.looks;
  for (const auto& run : runs) keep_common(looks, run.run.looks);
  chart.curves = {.x_name = first.x_name,
                  .x_title = looks.x_title.empty() ? first.x_name : looks.x_title,
                  .y_title = first.y_title,
                  .real_x = std::ranges::any_of(first.x, [](double x) { return x != std::floor(x); }),
                  .log_x = first.log_x,
                  .log_y = first.log_y,
                  .x = first.x};
  if (runs.size() == 1) chart.curves.facts = first.facts;
  looks.apply_to(chart.curves);  // the looks that do not depend on curves
  add_curves(chart);
  // A single run is shown with the bands it was measured with.
  if (runs.size() == 1) first.looks.apply_to(chart.curves);
  if (runs.size() > 1) chart.curves.formula = "mean over runs that differ only in the seed";
  chart.remark = remark_of(runs, chart.varied);
  return chart;
}

std::string spread_table(const RunChart& chart) {
  std::string text = "series," + csv_text(chart.curves.x_name) + ",runs,mean,least,greatest,deviation\n";
  const auto cell = [](double value) { return "," + (std::isnan(value) ? std::string() : to_text(value)); };
  for (const auto& spread : chart.spreads)
    for (std::size_t i = 0; i < spread.mean.size(); ++i)
      text += csv_text(spread.name) + cell(chart.curves.x[i]) + "," + to_text(spread.runs) + cell(spread.mean[i]) +
              cell(spread.least[i]) + cell(spread.greatest[i]) + cell(spread.deviation[i]) + "\n";
  return text;
}

}  // namespace vqscope
