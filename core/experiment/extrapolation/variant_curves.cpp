// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/variant_curves.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

std::vector<double> of_seeds(const SeedMeasures& measures, std::size_t x) {
  std::vector<double> values;
  for (const auto& seed : measures)
    if (!std::isnan(seed[x])) values.push_back(seed[x]);
  return values;
}

void add_seeds(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, CurveSet& set) {
  const Index first = values.integer("seed");
  for (std::size_t seed = 0; seed < measures.size(); ++seed)
    set.curves.push_back({fmt::format("{}, seed {}", title, first + static_cast<Index>(seed)), measures[seed]});
}

}  // namespace

double mean_over_seeds(const SeedMeasures& measures, std::size_t x) {
  const auto known = of_seeds(measures, x);
  if (known.empty()) return no_value;
  return std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
}

ParameterSpec lines_parameter() {
  return make_parameter("lines", "Curve", "Curves to plot for each model.",
                        {.default_value = std::string("range"),
                         .choices = {{"mean", "the mean over the seeds"},
                                     {"range", "the mean, and a band from the least to the greatest of the seeds"},
                                     {"seeds", "each seed"}}});
}

void add_variant(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, CurveSet& set) {
  const auto& lines = values.choice("lines");
  if (lines == "seeds") return add_seeds(values, title, measures, set);
  Curve mean{title, {}}, least{title + ", least", {}}, greatest{title + ", greatest", {}};
  for (std::size_t x = 0; x < set.x.size(); ++x) {
    const auto all = of_seeds(measures, x);
    mean.y.push_back(mean_over_seeds(measures, x));
    least.y.push_back(all.empty() ? no_value : std::ranges::min(all));
    greatest.y.push_back(all.empty() ? no_value : std::ranges::max(all));
  }
  const std::size_t of = set.curves.size();
  set.curves.push_back(std::move(mean));
  if (lines != "range" || measures.size() < 2) return;
  set.bands.push_back({of, of + 1, of + 2});
  set.curves.push_back(std::move(least));
  set.curves.push_back(std::move(greatest));
}

}  // namespace vqscope
