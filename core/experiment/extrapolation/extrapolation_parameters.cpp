// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/studies.h"

#include "core/base/sentence.h"
#include "core/experiment/extrapolation/corpus_study.h"
#include "core/experiment/training/model_training.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

ParameterSpec whole_number(const char* name, const char* help, Index default_value, double minimum, double maximum,
                           const char* group = "Training") {
  return make_parameter(
      name, group, help,
      {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = maximum > 1000});
}

ParameterSpec choice(const char* name, const char* help, const char* default_value, std::vector<Choice> choices) {
  return make_parameter(name, "Curve", help,
                        {.default_value = std::string(default_value), .choices = std::move(choices)});
}

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

std::vector<ParameterSpec> extrapolation_parameters() {
  std::vector<ParameterSpec> specs = variant_parameters();
  for (auto& spec : corpus_parameters()) specs.push_back(std::move(spec));
  specs.push_back(whole_number("train_steps", "Number of training steps.", 600, 1, 20000));
  specs.push_back(whole_number("train_length", "Training length.", 64, 32, 1024));
  specs.back().unit = "tokens";
  specs.push_back(whole_number("batch_rows", "Number of sequences per batch.", 16, 1, 64));
  add_parameter(specs, "lr_max", "Training", "Learning rate after the warm-up.",
                {.default_value = 5e-3, .minimum = 0, .maximum = 1});
  for (auto& spec : regularisation_parameters()) specs.push_back(std::move(spec));
  specs.push_back(whole_number("seed",
                               "Random seed of the first training of each model; the others use the next seeds.", 0, 0,
                               9007199254740991));
  specs.push_back(whole_number("seed_count", "Number of trainings of each model, each with its own seed.", 3, 1, 16));
  specs.push_back(layer_parameter("Size"));
  specs.push_back(whole_number("d_model", "Width of the residual stream.", 64, 8, 128, "Size"));
  specs.push_back(whole_number("n_layers", "Number of layers.", 2, 1, 6, "Size"));
  specs.push_back(whole_number("num_heads", "Number of attention heads.", 4, 1, 8, "Size"));
  specs.push_back(
      whole_number("num_kv_heads", "Number of key/value heads, each shared by as many query heads.", 0, 0, 8, "Size"));
  specs.back().automatic = "as many as num_heads";
  specs.back().relevant = {{"layer", {"transformer"}}};
  specs.push_back(whole_number("d_ff", "Width of the MLP (SwiGLU).", 128, 8, 512, "Size"));
  specs.push_back(whole_number("longest_multiple", "Longest context, in training lengths.", 16, 2, 16, "Curve"));
  specs.push_back(
      choice("quantity", "Quantity to plot.", "difference",
             {{"difference", "loss minus the loss at the training length with the same seed"}, {"loss", "loss"}}));
  specs.push_back(lines_parameter());
  add_parameter(
      specs, "competence", "Curve",
      "Loss at the training length above which a model did not learn and has no rank. Counting "
      "pairs of tokens reaches 2.83.",
      {.default_value = 2.83, .minimum = 0, .maximum = 10, .unit = "nats", .relevant = {{"data", {"language"}}}});
  specs.push_back(x_unit_parameter());
  specs.push_back(overlay_parameter());
  add_parameter(
      specs, "train_threads", "Machine", "Number of trainings at a time. Does not change the result.",
      {.default_value = Index{0}, .minimum = 0, .maximum = 256, .automatic = "as many as the machine can run at once"});
  return specs;
}

std::vector<Index> extrapolation_multiples(const ParameterValues& values) {
  std::vector<Index> multiples;
  for (Index multiple = 1; multiple <= values.integer("longest_multiple"); multiple *= 2) multiples.push_back(multiple);
  return multiples;
}

std::vector<Index> context_lengths(const ParameterValues& values) {
  std::vector<Index> lengths = extrapolation_multiples(values);
  for (Index& length : lengths) length *= values.integer("train_length");
  return lengths;
}

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
