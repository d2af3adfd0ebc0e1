// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/data/language.h"
#include "core/experiment/extrapolation/ordering.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/method/curve_set.h"
#include "core/method/shared/published.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Added to the training's seed for the text to fine-tune on.
constexpr std::uint64_t tuning_seed = 1000003;

class ExtrapolationCurves {
 public:
  explicit ExtrapolationCurves(const ParameterValues& values) : m_values(values), m_variants(chosen_variants(values)) {}

  CurveSet set_of(const VariantMeasures& losses) const {
    const VariantMeasures gaps = gaps_of(losses);
    CurveSet set = described();
    for (std::size_t i = 0; i < m_variants.size(); ++i)
      add_variant(m_values, title_of(i, losses[i]), (difference() ? gaps : losses)[i], set);
    add_facts(losses, gaps, set);
    apply_overlay(m_values, set);
    apply_x_unit(m_values, m_values.integer("train_length"), set);
    return set;
  }

 private:
  bool difference() const { return m_values.choice("quantity") == "difference"; }
  bool is_competent(const SeedMeasures& losses) const {
    return mean_over_seeds(losses, 0) <= m_values.real("competence");
  }

  CurveSet described() const {
    const Index steps = m_values.integer("train_steps");
    CurveSet set{.x_name = "context",
                 .x_title = "context T (tokens)",
                 .y_title = difference() ? "loss minus that at the training length (nats)" : "loss (nats)",
                 .formula = fmt::format(
                     "models trained here for {} steps on a synthetic language{}; mean loss of the same last 32 tokens "
                     "of 96 windows while the context before them grows; gaps grow with more steps",
                     steps, tuning_text()),
                 .log_x = true,
                 .exact = false};
    const auto trained = static_cast<double>(m_values.integer("train_length"));
    for (const Index multiple : extrapolation_multiples(m_values))
      set.x.push_back(trained * static_cast<double>(multiple));
    set.marks = {{trained, "training length"}};
    return set;
  }

  std::string tuning_text() const {
    const Index steps = m_values.integer("finetune_steps");
    if (steps == 0) return "";
    return fmt::format(", then for {} steps on sequences {} times as long, with the scaling of that length", steps,
                       m_values.integer("finetune_multiple"));
  }

  /// Marks a model that did not learn.
  std::string title_of(std::size_t i, const SeedMeasures& losses) const {
    const bool failed = mean_over_seeds(losses, 0) > m_values.real("competence");
    return m_variants[i].id + (failed ? " (did not learn)" : "");
  }

  /// Only competent models are ranked, the smallest gap at the longest context first.
  void add_facts(const VariantMeasures& losses, const VariantMeasures& gaps, CurveSet& set) const {
    set.facts = {{"steps", static_cast<double>(m_values.integer("train_steps"))},
                 {"finetune_steps", static_cast<double>(m_values.integer("finetune_steps"))},
                 {"seeds", static_cast<double>(m_values.integer("seed_count"))},
                 {"competence", m_values.real("competence")},
                 {"guessing_loss", std::log(static_cast<double>(language::vocabulary))}};
    std::vector<double> gap;
    Scores scores;
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      gap.push_back(mean_over_seeds(gaps[i], set.x.size() - 1));
      if (is_competent(losses[i])) scores.emplace_back(m_variants[i].id, -gap[i]);
    }
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      set.facts.emplace_back("loss_at_training_length_" + id, mean_over_seeds(losses[i], 0));
      set.facts.emplace_back("gap_at_longest_" + id, gap[i]);
      set.facts.emplace_back("rank_" + id, rank_of(scores, id));
    }
    set.facts.emplace_back("kendall_tau_" + press_2022().id, kendall_tau(press_2022(), scores));
  }

  const ParameterValues& m_values;
  std::vector<ExtrapolationVariant> m_variants;
};

VariantStudy tuned_study(const ParameterValues& values) {
  VariantStudy study = language_study(values);
  const Index multiple = values.integer("finetune_multiple");
  const Index rows = std::max<Index>(1, values.integer("batch_rows") / multiple);
  const Index length = multiple * values.integer("train_length");
  study.tuning = {values.integer("finetune_steps"), multiple, rows, [rows, length](std::uint64_t seed) {
                    return TrainingData::language(seed + tuning_seed, rows, length);
                  }};
  return study;
}

Result<CurveSet> make_length_extrapolation(const ParameterValues& values, const Work& work) {
  const ExtrapolationCurves curves(values);
  const auto losses = run_study(tuned_study(values), work, [&](const VariantMeasures& so_far) {
    if (work.partial) work.partial(curves.set_of(so_far));
  });
  if (!losses) return losses.error();
  return curves.set_of(*losses);
}

Result<void> check_length_extrapolation(const ParameterValues& values) { return check_study(tuned_study(values)); }

std::vector<ParameterSpec> length_extrapolation_parameters() {
  std::vector<ParameterSpec> specs = extrapolation_parameters();
  specs.insert(
      std::ranges::find(specs, std::string("seed"), &ParameterSpec::name),
      {make_parameter("finetune_steps", "Training",
                      "Number of fine-tuning steps after the training, on longer sequences and at a tenth of "
                      "lr_max, with the scaling that the model has at that length.",
                      {.default_value = Index{0}, .minimum = 0, .maximum = 20000, .automatic = "no fine-tuning"}),
       make_parameter("finetune_multiple", "Training",
                      "Sequence length for fine-tuning, in training lengths. Batches keep their number of tokens.",
                      {.default_value = Index{4}, .minimum = 2, .maximum = 16})});
  return specs;
}

}  // namespace

Method length_extrapolation_method() {
  return {
      .id = "length_extrapolation",
      .title = "Extrapolation of trained models",
      .help = "Loss of small models, trained here, beyond their training length. Lower is better.",
      .citation = {"Press et al. 2022, ALiBi, section 4; Kazemnejad et al. 2023; Lingle 2023, Transformer-VQ; and the "
                   "papers of the encodings",
                   "Hugging Face transformers, models/llama: layout of the model"},
      .parameters = length_extrapolation_parameters(),
      .check = check_length_extrapolation,
      .recipe = CurveRecipe{.make = make_length_extrapolation,
                            .origin = CurveOrigin::measured,
                            .kernels = best_products<float>().name,
                            .related = {"vq_extrapolation"},
                            .work = [](const ParameterValues& values) { return study_work(tuned_study(values)); }}};
}

}  // namespace vqscope
