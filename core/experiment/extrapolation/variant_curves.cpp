// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/variant_curves.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

std::vector<double> of_seeds(const SeedMeasures& measures, std::size_t x) {
  std::vector<double> values;
  for (const auto& seed : measures) values.push_back(seed[x]);
  return values;
}

void add_seeds(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, CurveSet& set) {
  const Index first = values.integer("seed");
  for (std::size_t seed = 0; seed < measures.size(); ++seed)
    set.curves.push_back({fmt::format("{}, seed {}", title, first + static_cast<Index>(seed)), measures[seed]});
}

}  // namespace

double mean_over_seeds(const SeedMeasures& measures, std::size_t x) {
  double sum = 0;
  for (const auto& seed : measures) sum += seed[x];
  return sum / static_cast<double>(measures.size());
}

ParameterSpec lines_parameter() {
  return {.name = "lines",
          .group = "Curve",
          .help = "Lines of each model.",
          .kind = ParameterKind::choice,
          .fallback = std::string("mean"),
          .choices = {{"mean", "the mean over the seeds"},
                      {"range", "the mean, the least and the greatest of the seeds"},
                      {"seeds", "each seed"}}};
}

void add_variant(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, bool alone,
                 CurveSet& set) {
  const auto& lines = values.choice("lines");
  if (lines == "seeds") return add_seeds(values, title, measures, set);
  Curve mean{title, {}}, least{title + ", least", {}}, greatest{title + ", greatest", {}};
  for (std::size_t x = 0; x < set.x.size(); ++x) {
    const auto all = of_seeds(measures, x);
    mean.y.push_back(mean_over_seeds(measures, x));
    const bool known = std::isfinite(mean.y.back());
    least.y.push_back(known ? std::ranges::min(all) : std::numeric_limits<double>::quiet_NaN());
    greatest.y.push_back(known ? std::ranges::max(all) : std::numeric_limits<double>::quiet_NaN());
  }
  set.curves.push_back(std::move(mean));
  if (lines != "range") return;
  if (alone) set.band = {1, 2};
  set.curves.push_back(std::move(least));
  set.curves.push_back(std::move(greatest));
}

}  // namespace vqscope
