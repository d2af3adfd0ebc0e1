// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/length_extrapolation.h"

#include "core/base/text.h"
#include "core/experiment/extrapolation/extrapolation_parameters.h"
#include "core/experiment/extrapolation/extrapolation_runs.h"
#include "core/experiment/training/model_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/published.h"
#include "core/method/x_unit.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Losses of one variant: [seed][multiple], NaN where they are not measured yet.
using Losses2d = std::vector<std::vector<double>>;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// What the seeds give at one multiple: the loss, or less that of the training length.
std::vector<double> of_seeds(const Losses2d& losses, std::size_t multiple, bool difference) {
  std::vector<double> values;
  for (const auto& seed : losses) values.push_back(seed[multiple] - (difference ? seed.front() : 0));
  return values;
}

/// The mean loss at the training length; NaN while a seed is missing.
double trained_loss(const Losses2d& losses) { return mean_of(of_seeds(losses, 0, false)); }

class Curves {
 public:
  explicit Curves(const ParameterValues& values)
      : m_values(values), m_variants(chosen_variants(values)), m_multiples(extrapolation_multiples(values)) {}

  CurveSet set_of(const std::vector<Losses2d>& losses) const {
    CurveSet set = described();
    for (std::size_t i = 0; i < m_variants.size(); ++i) add(title_of(i, losses[i]), losses[i], set);
    add_facts(losses, set);
    apply_overlay(m_values, set);
    apply_x_unit(m_values, m_values.integer("train_length"), set);
    return set;
  }

 private:
  bool difference() const { return m_values.choice("quantity") == "difference"; }
  bool is_competent(const Losses2d& losses) const { return trained_loss(losses) <= m_values.real("competence"); }

  CurveSet described() const {
    const Index steps = m_values.integer("train_steps");
    CurveSet set{.x_name = "context",
                 .x_title = "context T (tokens)",
                 .y_title = difference() ? "loss less that at the training length (nats)" : "loss (nats)",
                 .formula = "models trained here for " + to_text(steps) +
                            " steps on a synthetic language; the mean loss of the "
                            "same last 32 tokens of 96 windows, of which only the context before them grows; gaps grow "
                            "with more steps",
                 .log_x = true,
                 .exact = false};
    const auto trained = static_cast<double>(m_values.integer("train_length"));
    for (const Index multiple : m_multiples) set.x.push_back(trained * static_cast<double>(multiple));
    set.marks = {{trained, "training length"}};
    return set;
  }

  /// A model that did not learn is named as such.
  std::string title_of(std::size_t i, const Losses2d& losses) const {
    const bool failed = trained_loss(losses) > m_values.real("competence");
    return m_variants[i].id + (failed ? " (did not learn)" : "");
  }

  void add(const std::string& title, const Losses2d& losses, CurveSet& set) const {
    const auto& lines = m_values.choice("lines");
    if (lines == "seeds") {
      for (std::size_t seed = 0; seed < losses.size(); ++seed) {
        Curve& curve = set.curves.emplace_back(
            Curve{title + ", seed " + to_text(m_values.integer("seed") + static_cast<Index>(seed)), {}});
        for (std::size_t k = 0; k < m_multiples.size(); ++k) curve.y.push_back(of_seeds(losses, k, difference())[seed]);
      }
      return;
    }
    Curve mean{title, {}}, least{title + ", least", {}}, greatest{title + ", greatest", {}};
    for (std::size_t k = 0; k < m_multiples.size(); ++k) {
      const auto all = of_seeds(losses, k, difference());
      mean.y.push_back(mean_of(all));
      const bool known = std::isfinite(mean.y.back());
      least.y.push_back(known ? std::ranges::min(all) : none);
      greatest.y.push_back(known ? std::ranges::max(all) : none);
    }
    set.curves.push_back(std::move(mean));
    if (lines != "range") return;
    if (m_variants.size() == 1) set.band = {1, 2};
    set.curves.push_back(std::move(least));
    set.curves.push_back(std::move(greatest));
  }

  /// Ranks are of competent models alone, the smallest gap at the longest context first.
  void add_facts(const std::vector<Losses2d>& losses, CurveSet& set) const {
    const auto gap = [&](const Losses2d& one) { return mean_of(of_seeds(one, m_multiples.size() - 1, true)); };
    set.facts = {{"steps", static_cast<double>(m_values.integer("train_steps"))},
                 {"seeds", static_cast<double>(m_values.integer("seed_count"))}};
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      const auto better = std::ranges::count_if(
          losses, [&](const Losses2d& other) { return is_competent(other) && gap(other) < gap(losses[i]); });
      set.facts.emplace_back("loss_at_training_length_" + id, trained_loss(losses[i]));
      set.facts.emplace_back("gap_at_longest_" + id, gap(losses[i]));
      set.facts.emplace_back("rank_" + id, is_competent(losses[i]) ? static_cast<double>(better + 1) : none);
    }
  }

  const ParameterValues& m_values;
  std::vector<ExtrapolationVariant> m_variants;
  std::vector<Index> m_multiples;
};

Result<CurveSet> make(const ParameterValues& values, const Work& work) {
  const Curves curves(values);
  const auto losses = run_extrapolation(values, work, [&](const std::vector<Losses2d>& so_far) {
    if (work.partial) work.partial(curves.set_of(so_far));
  });
  if (!losses) return losses.error();
  return curves.set_of(*losses);
}

}  // namespace

Method length_extrapolation_method() {
  return {
      .id = "length_extrapolation",
      .title = "Extrapolation of trained models",
      .category = "experiments",
      .help = "Loss of small models, trained here, on contexts longer than their training length. Lower is better.",
      .citation = {"Press et al. 2022, ALiBi, section 4; Kazemnejad et al. 2023; Lingle 2023, Transformer-VQ; and the "
                   "papers of the encodings",
                   "Hugging Face transformers, models/llama: layout of the model"},
      .parameters = extrapolation_parameters(),
      .check = check_extrapolation,
      .recipe = CurveRecipe{.make = make,
                            .origin = CurveOrigin::measured,
                            .kernels = best_products<float>().name,
                            .companions = {"vq_extrapolation"}}};
}

}  // namespace vqscope
