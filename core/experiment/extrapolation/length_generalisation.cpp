// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/work.h"
#include "core/experiment/extrapolation/ordering.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/study/model_reach.h"
#include "core/model/kernels/products.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The same models and seeds on the language, which ranks them by damage; the task ranks them by
/// use.
ParameterValues language_values(const ParameterValues& values) {
  ParameterValues own = default_values(extrapolation_parameters());
  for (const auto& [name, value] : values.map()) {
    const bool of_task = name == "batch_rows" || name == "longest_multiple" || name == "quantity";
    if (own.find(name) && !of_task) own.set(name, value);
  }
  own.set("train_steps", values.integer("language_steps"));
  own.set("longest_multiple", Index{8});
  return own;
}

class GeneralisationCurves {
 public:
  explicit GeneralisationCurves(const ParameterValues& values)
      : m_values(values),
        m_study(task_study(values)),
        m_variants(chosen_variants(values)),
        m_sizes(tested_sizes(values)),
        m_trained(task_info(chosen_task(values)).trained_size) {}

  /// `gaps`: gaps of loss on the language; empty: not compared.
  CurveSet set_of(const VariantMeasures& fractions, const VariantMeasures& gaps) const {
    CurveSet set = described();
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const bool failed = trained_fraction(fractions[i]) < m_values.real("competence");
      add_variant(m_values, m_variants[i].id + (failed ? " (did not learn)" : ""), fractions[i], set);
    }
    add_facts(fractions, gaps, set);
    return set;
  }

 private:
  CurveSet described() const {
    CurveSet set{
        .x_name = "symbols",
        .x_title = "symbols of a problem",
        .y_title = m_values.choice("quantity") == "exact_match" ? "fraction of problems answered correctly"
                                                                : "fraction of tokens answered correctly",
        .formula = fmt::format(
            "models trained here for {} steps on {} of up to {} symbols; 64 problems of each size, 32 from 200 symbols "
            "on: standard error up to 0.06, 0.09; an answer is correct if every token of it has the largest logit",
            m_study.values.integer("train_steps"), m_values.choice("task"), m_trained),
        .log_x = true,
        .exact = false};
    for (const Index n : m_sizes) set.x.push_back(static_cast<double>(n));
    set.marks = {{static_cast<double>(m_trained), "largest in training"}};
    return set;
  }

  double trained_fraction(const SeedMeasures& fractions) const {
    const auto at = std::ranges::find(m_sizes, m_trained) - m_sizes.begin();
    return mean_over_seeds(fractions, static_cast<std::size_t>(at));
  }

  /// The mean over all sizes beyond those of training.
  double fraction_beyond(const SeedMeasures& fractions) const {
    double sum = 0, count = 0;
    for (std::size_t x = 0; x < m_sizes.size(); ++x)
      if (m_sizes[x] > m_trained) sum += mean_over_seeds(fractions, x), ++count;
    return sum / count;
  }

  /// Only competent models are ranked.
  void add_facts(const VariantMeasures& fractions, const VariantMeasures& gaps, CurveSet& set) const {
    set.facts = {{"steps", static_cast<double>(m_study.values.integer("train_steps"))},
                 {"seeds", static_cast<double>(m_values.integer("seed_count"))},
                 {"competence", m_values.real("competence")}};
    Scores scores, on_language;
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      if (trained_fraction(fractions[i]) >= m_values.real("competence"))
        scores.emplace_back(id, fraction_beyond(fractions[i]));
      if (!gaps.empty()) on_language.emplace_back(id, -mean_over_seeds(gaps[i], gaps[i].front().size() - 1));
    }
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      set.facts.emplace_back("at_largest_in_training_" + id, trained_fraction(fractions[i]));
      set.facts.emplace_back("beyond_training_" + id, fraction_beyond(fractions[i]));
      set.facts.emplace_back("rank_" + id, rank_of(scores, id));
      if (gaps.empty()) continue;
      set.facts.emplace_back("language_gap_" + id, -on_language[i].second);
      set.facts.emplace_back("language_rank_" + id, rank_of(on_language, id));
    }
    add_short_reaches(set);
    set.facts.emplace_back("kendall_tau_" + kazemnejad_2023().id, kendall_tau(kazemnejad_2023(), scores));
    if (!gaps.empty()) set.facts.emplace_back("kendall_tau_language", kendall_tau(on_language, scores));
  }

  /// Of models that cannot solve the task, however long they are trained.
  void add_short_reaches(CurveSet& set) const {
    std::optional<Index> needed;
    for (const ExtrapolationVariant& variant : m_variants) {
      const auto shorter = short_reach(trained_config(m_study, variant), chosen_task(m_values));
      if (!shorter) continue;
      set.facts.emplace_back("reach_" + variant.id, static_cast<double>(shorter->reach));
      needed = shorter->needed;
    }
    if (needed) set.facts.emplace_back("needed_reach", static_cast<double>(*needed));
  }

  const ParameterValues& m_values;
  VariantStudy m_study;
  std::vector<ExtrapolationVariant> m_variants;
  std::vector<Index> m_sizes;
  Index m_trained;
};

double generalisation_work(const ParameterValues& values) {
  const double of_task = study_work(task_study(values));
  const bool language = values.integer("language_steps") > 0;
  return of_task + (language ? study_work(language_study(language_values(values))) : 0);
}

Result<CurveSet> make_length_generalisation(const ParameterValues& values, const Work& work) {
  const GeneralisationCurves curves(values);
  const VariantStudy study = task_study(values);
  const double fraction = study_work(study) / generalisation_work(values);
  const auto fractions = run_study(study, part_of(work, 0, fraction), [&](const VariantMeasures& so_far) {
    if (work.partial) work.partial(curves.set_of(so_far, {}));
  });
  if (!fractions) return fractions.error();
  if (values.integer("language_steps") == 0) return curves.set_of(*fractions, {});
  const Work language = named_work(part_of(work, fraction, 1 - fraction), "language", chosen_variants(values).size());
  const auto losses = run_study(language_study(language_values(values)), language, [](const auto&) {});
  if (!losses) return losses.error();
  return curves.set_of(*fractions, gaps_of(*losses));
}

Result<void> check_length_generalisation(const ParameterValues& values) {
  if (auto checked = check_study(task_study(values)); !checked) return checked;
  if (values.integer("language_steps") == 0) return {};
  return check_study(language_study(language_values(values)));
}

std::vector<ParameterSpec> length_generalisation_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("task", "Models", "Problems to train and test on.",
                     {.default_value = std::string("copy"),
                      .choices = {{"copy", "up to 12 symbols in training, and the same again"},
                                  {"reverse", "up to 12 symbols, and the same backwards"},
                                  {"sort", "up to 8 symbols, and the same in order"},
                                  {"recall", "up to 6 pairs of key and value, and the same in another order"},
                                  {"passkey", "one key among up to 60 tokens, requested at the end"}}})};
  for (auto& spec : extrapolation_parameters()) {
    const auto one_of = [&](std::initializer_list<const char*> names) { return std::ranges::count(names, spec.name); };
    if (one_of({"data", "text_file", "score", "train_length", "x_unit", "overlay"})) continue;
    if (one_of({"train_steps", "batch_rows"})) {
      spec.default_value = Index{0};
      spec.minimum = 0;
      spec.automatic = "as many as the task is known to need";
    }
    if (spec.name == "models")
      spec.default_value = std::vector<std::string>{"rope", "alibi", "kerple_log", "t5_bias", "sinusoidal", "nope"};
    if (spec.name == "longest_multiple") {
      spec.default_value = Index{8};
      spec.maximum = 8;
      spec.help = "Largest problem, in multiples of the largest in training.";
    }
    if (spec.name == "quantity") {
      spec.default_value = std::string("exact_match");
      spec.choices = {{"exact_match", "problems with every token correct"},
                      {"token_accuracy", "correct tokens, given the true tokens before each"}};
    }
    if (spec.name == "competence") {
      spec.help =
          "Fraction of problems solved at the largest size in training below which a model did not learn and has no "
          "rank.";
      spec.default_value = 0.9;
      spec.maximum = 1;
      spec.unit = {};
      spec.relevant = {};
    }
    specs.push_back(std::move(spec));
  }
  add_parameter(
      specs, "language_steps", "Curve",
      "Number of steps to also train the same models on the language; the report then compares the ranking by "
      "damage with the ranking by use of length.",
      {.default_value = Index{0}, .minimum = 0, .maximum = 20000, .automatic = "not compared"});
  return specs;
}

ParameterValues in_force(const ParameterValues& values) {
  const TaskRecipe recipe = task_recipe(chosen_task(values));
  ParameterValues used;
  if (values.integer("train_steps") == 0) used.set("train_steps", recipe.steps);
  if (values.integer("batch_rows") == 0) used.set("batch_rows", recipe.rows);
  return used;
}

}  // namespace

Method length_generalisation_method() {
  return {.id = "length_generalisation",
          .title = "Problems longer than in training",
          .help =
              "Fraction of problems that small models solve beyond their training sizes. The models are trained here; "
              "higher is better.",
          .citation = {"Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization; Mohtashami "
                       "and Jaggi 2023, Landmark Attention, section 4.2 (passkey)",
                       "Hugging Face transformers, models/llama: layout of the model"},
          .parameters = length_generalisation_parameters(),
          .in_force = in_force,
          .check = check_length_generalisation,
          .recipe = CurveRecipe{.make = make_length_generalisation,
                                .origin = CurveOrigin::measured,
                                .kernels = best_products<float>().name,
                                .work = generalisation_work}};
}

}  // namespace vqscope
