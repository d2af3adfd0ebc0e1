// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/method/curve_set.h"
#include "core/method/verdict/verdict_parts.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vqscope {
namespace {

constexpr double least_solved = 0.9;  ///< of a model that learnt passkeys, as in length_generalisation

bool by_step(const ParameterValues& values) { return values.choice("against") == "step"; }

/// Lingle 2023, table 1: Enwik8, 190M parameters. Table 2 has S = 256, with and without the cache.
Published published_tables(const std::string& quantity) {
  const std::vector<double> codes{256, 512, 1024};
  Published published{.source = "Lingle 2023, Transformer-VQ, tables 1 and 2: Enwik8, models of 190M parameters"};
  if (quantity == "loss") {
    published.y_title = "validation bits per byte (published)";
    published.series = {{"with cache (Lingle)", codes, {1.010, 1.005, 1.000}},
                        {"without cache (Lingle)", {256}, {1.026}}};
  } else {
    published.y_title = "latency relative to S = 512 (published)";
    published.series = {{"with cache (Lingle)", codes, {0.927, 1.0, 1.109}},
                        {"without cache (Lingle)", {256}, {0.836}}};
  }
  return published;
}

/// Models that differ from others at the training length: not those that are changed beyond it.
bool compares(const ExtrapolationVariant& variant) {
  constexpr std::array with_more_parameters{
      "rope_random", "transformer_xl_memory", "memorizing", "infini_linear", "infini_delta", "window", "mask"};
  return variant.listed && std::ranges::count(with_more_parameters, variant.id) == 0 &&
         (!variant.test || !variant.model.empty());
}

class VqModelCurves {
 public:
  VqModelCurves(const ParameterValues& values, const StudyData& data)
      : m_values(values),
        m_data(data),
        m_quantity(values.choice("quantity")),
        m_variants(chosen_variants(values)),
        m_sizes(codebook_sizes(values)) {}

  CurveSet set_of(const VqModelRuns& runs) const { return by_step(m_values) ? over_steps(runs) : over_sizes(runs); }

 private:
  bool quantises(std::size_t variant) const { return m_variants[variant].quantises(); }
  bool of_layers() const { return m_quantity == "commit_loss" || m_quantity == "used_codes"; }

  std::string y_title() const {
    if (m_quantity == "passkeys") return "fraction of passkeys found";
    if (m_quantity == "loss")
      return fmt::format("{} loss ({})", by_step(m_values) ? "training" : "test", m_data.unit());
    if (m_quantity == "answers") return "test loss of answers (bits)";
    if (m_quantity == "commit_loss") return "commitment loss";
    return m_quantity == "used_codes" ? "fraction of codewords in use" : "seconds per training step";
  }

  std::string formula() const {
    const std::string steps = to_text(m_values.integer("train_steps"));
    if (m_quantity == "passkeys")
      return fmt::format(
          "models trained here for {} steps on passkeys among up to {} tokens; fraction found among {} times as many, "
          "of "
          "32 problems",
          steps, task_info(Task::passkey).trained_size, passkey_multiple);
    return "models trained here for " + steps + " steps of " + to_text(m_values.integer("batch_rows")) +
           " sequences of " + to_text(m_values.integer("train_length")) + " tokens of " + m_data.name() +
           "; loss = cross-entropy + 1e-4 · commitment loss";
  }

  /// Commitment loss or used codes of one layer at one step; other quantities are the same for
  /// every layer.
  double number_of(const TrainingStep& step, std::size_t layer) const {
    if (of_layers() && std::isnan(step.used_codes[layer])) return no_value;  // the step left the layer out
    if (m_quantity == "commit_loss") return step.losses.commit_layers[layer];
    const double scale = m_data.corpus() ? std::numbers::log2e : 1;
    return m_quantity == "used_codes" ? step.used_codes[layer] : scale * step.losses.ce_loss;
  }

  /// Result of a training; for quantities by layer, the mean over the last tenth of the steps.
  double result_of(const VqModelRun& run) const {
    if (std::isnan(run.loss)) return no_value;
    if (m_quantity == "loss") return run.loss;
    if (m_quantity == "answers") return run.answer_loss;
    if (m_quantity == "passkeys") return run.solved_far;
    if (m_quantity == "seconds") return run.trace.seconds_per_step;
    const auto& steps = run.trace.steps;
    if (steps.empty()) return no_value;
    double sum = 0, count = 0;
    for (std::size_t i = steps.size() - (steps.size() + 9) / 10; i < steps.size(); ++i)
      for (std::size_t layer = 0; layer < steps[i].used_codes.size(); ++layer)
        if (!std::isnan(steps[i].used_codes[layer])) sum += number_of(steps[i], layer), ++count;  // not left out
    const double mean = count > 0 ? sum / count : no_value;
    return m_quantity == "commit_loss" ? mean * static_cast<double>(m_values.integer("n_layers")) : mean;
  }

  CurveSet over_sizes(const VqModelRuns& runs) const {
    CurveSet set{.x_name = "n_code",
                 .x_title = "codebook size S",
                 .y_title = y_title(),
                 .formula = formula(),
                 .log_x = true,
                 .exact = false};
    for (const Index size : m_sizes) set.x.push_back(static_cast<double>(size));
    set.facts.emplace_back("seeds", static_cast<double>(m_values.integer("seed_count")));
    for (std::size_t v = 0; v < m_variants.size(); ++v) {
      if (of_layers() && !quantises(v)) continue;
      SeedMeasures measures(runs.front()[v].size());
      for (const auto& of_size : runs)
        for (std::size_t seed = 0; seed < measures.size(); ++seed)
          measures[seed].push_back(result_of(of_size[v][seed]));
      add_variant(m_values, title_of(v, runs), measures, set);
      add_facts(m_variants[v].id, measures, set);
    }
    const bool of_losses = m_quantity == "loss" || m_quantity == "answers";
    for (std::size_t v = 0; v < m_variants.size() && of_losses; ++v) add_cache_facts(v, runs.back(), set);
    const bool published = m_quantity == "loss" || m_quantity == "seconds";
    if (published && m_values.choice("overlay") == "transformer_vq") set.published = published_tables(m_quantity);
    return set;
  }

  /// What a model without its cache has more than the same one with it, at the largest codebook.
  void add_cache_facts(std::size_t without, const std::vector<std::vector<VqModelRun>>& runs, CurveSet& set) const {
    const auto with = std::ranges::find(m_variants, m_variants[without].model, &ExtrapolationVariant::id);
    if (with == m_variants.end() || m_variants[without].cache != "without") return;
    std::vector<double> more;
    for (std::size_t seed = 0; seed < runs[without].size(); ++seed)
      more.push_back(result_of(runs[without][seed]) -
                     result_of(runs[static_cast<std::size_t>(with - m_variants.begin())][seed]));
    if (std::ranges::any_of(more, [](double value) { return std::isnan(value); })) return;
    const double mean = std::accumulate(more.begin(), more.end(), 0.0) / static_cast<double>(more.size());
    set.facts.emplace_back("without_cache_more_" + with->id, mean);
    set.facts.emplace_back("without_cache_more_least_" + with->id, std::ranges::min(more));
    set.facts.emplace_back("without_cache_more_greatest_" + with->id, std::ranges::max(more));
  }

  /// Marks a model that learnt with no codebook.
  std::string title_of(std::size_t v, const VqModelRuns& runs) const {
    double least = no_value, most = no_value;
    for (const auto& of_size : runs) {
      double sum = 0, solved = 0;
      for (const VqModelRun& run : of_size[v]) solved += run.solved;
      most = std::fmax(most, solved / static_cast<double>(of_size[v].size()));
      for (const VqModelRun& run : of_size[v]) sum += m_data.has_answers() ? run.answer_loss : run.loss;
      least = std::fmin(least, sum / static_cast<double>(of_size[v].size()));
    }
    const bool is_loss = m_quantity == "loss" || m_quantity == "answers";
    const bool failed = is_loss ? least > m_data.competence() : m_quantity == "passkeys" && most < least_solved;
    return m_variants[v].id + (failed ? std::string(failed_ending) : std::string());
  }

  /// Factor of the number per doubling of the codebook: exp of the slope of log y over log2 S.
  void add_facts(const std::string& id, const SeedMeasures& measures, CurveSet& set) const {
    const auto n = static_cast<double>(set.x.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      const double at = std::log2(set.x[i]), value = std::log(mean_over_seeds(measures, i));
      x += at, y += value, xx += at * at, xy += at * value;
    }
    set.facts.emplace_back(m_quantity + "_at_largest_" + id, mean_over_seeds(measures, set.x.size() - 1));
    if (n > 1 && m_quantity != "passkeys")
      set.facts.emplace_back("factor_per_doubling_" + id, std::exp((n * xy - x * y) / (n * xx - x * x)));
  }

  CurveSet over_steps(const VqModelRuns& runs) const {
    CurveSet set{.x_name = "step", .x_title = "training step", .y_title = y_title(), .formula = formula()};
    for (Index step = 1; step <= m_values.integer("train_steps"); ++step) set.x.push_back(static_cast<double>(step));
    for (std::size_t v = 0; v < m_variants.size(); ++v) {
      if (of_layers() && !quantises(v)) continue;
      const Index of_model = m_values.integer("n_layers") * (m_values.choice("layer") == "shga" ? 2 : 1);
      const Index layers = of_layers() ? of_model : 1;
      for (Index layer = 0; layer < layers; ++layer) {
        SeedMeasures measures;
        for (const VqModelRun& run : runs[0][v]) measures.push_back(steps_of(run, static_cast<std::size_t>(layer)));
        const std::string of_layer = of_layers() ? ", layer " + to_text(layer) : "";
        add_variant(m_values, m_variants[v].id + of_layer, measures, set);
      }
    }
    return set;
  }

  /// NaN after the last step of a training that ended early.
  std::vector<double> steps_of(const VqModelRun& run, std::size_t layer) const {
    std::vector<double> numbers(static_cast<std::size_t>(m_values.integer("train_steps")), no_value);
    for (std::size_t i = 0; i < run.trace.steps.size(); ++i) numbers[i] = number_of(run.trace.steps[i], layer);
    return numbers;
  }

  const ParameterValues& m_values;
  const StudyData& m_data;
  std::string m_quantity;
  std::vector<ExtrapolationVariant> m_variants;
  std::vector<Index> m_sizes;
};

Result<CurveSet> make_vq_model(const ParameterValues& values, const Work& work) {
  const auto data = StudyData::open(values);
  if (!data) return data.error();
  const VqModelCurves curves(values, *data);
  const auto runs = run_vq_models(values, *data, work, [&](const VqModelRuns& so_far) {
    if (work.partial) work.partial(curves.set_of(so_far));
  });
  if (!runs) return runs.error();
  return curves.set_of(*runs);
}

double vq_model_work(const ParameterValues& values) {
  double work = 0;
  for (const Index size : codebook_sizes(values)) work += study_work(vq_model_study(values, size));
  return work;
}

Result<void> check_vq_model(const ParameterValues& values) {
  const auto sizes = codebook_sizes(values);
  if (sizes.empty())
    return invalid("no power of two lies between n_code_min " + to_text(values.integer("n_code_min")) +
                   " and n_code_max " + to_text(values.integer("n_code_max")));
  const auto& quantity = values.choice("quantity");
  if (by_step(values) && (quantity == "seconds" || quantity == "answers" || quantity == "passkeys"))
    return invalid("quantity is " + quantity + " but must be loss, commit_loss or used_codes against step");
  if (quantity == "answers" && !is_of_answers(values))
    return invalid("quantity is answers, which data " + values.choice("data") +
                   " has none of: data must be vault or facts");
  if (quantity == "passkeys" && values.choice("data") != "language")
    return invalid("quantity is passkeys, data is " + values.choice("data") +
                   " but must be language: the models are trained on passkeys alone");
  const bool alone = std::ranges::none_of(chosen_variants(values), &ExtrapolationVariant::quantises);
  if (alone && (quantity == "commit_loss" || quantity == "used_codes"))
    return invalid("quantity is " + quantity + ", which only models of VQ attention have: models must name one");
  return check_study(vq_model_study(values, sizes.back()));
}

ParameterSpec codes(const char* name, const char* help, Index default_value) {
  return make_parameter(name, "Models", help,
                        {.default_value = default_value,
                         .minimum = 1,
                         .maximum = 512,
                         .logarithmic = true,
                         .relevant = {{"against", {"n_code"}}}});
}

std::vector<ParameterSpec> vq_model_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("against", "Curve", "Quantity on the x axis.",
                     {.default_value = std::string("n_code"),
                      .choices = {{"n_code", "codebook size, one training each"},
                                  {"step", "training step, for one codebook size"}}}),
      make_parameter(
          "quantity", "Curve", "Quantity to plot.",
          {.default_value = std::string("loss"),
           .choices = {{"loss", "loss on text that was not trained on; against step, loss of each batch"},
                       {"passkeys", "passkeys found among 8 times as many tokens as in training, which is on passkeys"},
                       {"answers", "loss of answers alone, with data vault or facts"},
                       {"commit_loss",
                        "squared distance of keys and codewords, summed over heads; by layer against step"},
                       {"used_codes", "fraction of codewords that replace some key of a batch; by layer against step"},
                       {"seconds", "median seconds of a training step on one thread; measure with train_threads 1"}}}),
      codes("n_code_min", "Smallest codebook.", 4), codes("n_code_max", "Largest codebook.", 64)};
  for (auto& spec : extrapolation_parameters()) {
    const auto one_of = [&](std::initializer_list<const char*> names) { return std::ranges::count(names, spec.name); };
    if (one_of({"quantity", "longest_multiple", "x_unit", "rerope_window", "test_window", "train_window",
                "yarn_beta_fast", "train_mask", "xl_segment", "xl_memory", "memory_segment", "memory_top_k"}))
      continue;
    if (spec.name == "models") {
      std::erase_if(spec.choices, [](const Choice& choice) {
        return !compares(*std::ranges::find(extrapolation_variants(), choice.id, &ExtrapolationVariant::id));
      });
      spec.help = "Models to train and compare; those without VQ attention are the same for every codebook size.";
      spec.default_value = std::vector<std::string>{"vq_xl"};
    }
    if (spec.name == "vq_cache") spec.default_value = std::vector<std::string>{"with", "without"};
    if (spec.name == "competence") spec.relevant.push_back({"quantity", {"loss"}});
    if (spec.name == "model_n_code") spec.relevant = {{"against", {"step"}}};
    if (spec.name == "overlay")
      spec.choices = {{"none", "computed curves only"},
                      {"transformer_vq", "tables 1 and 2 of Transformer-VQ, if they have the quantity"}};
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace

Method vq_model_method() {
  return {.id = "vq_model",
          .title = "Quality and cost of a VQ model",
          .help = "Loss, time, commitment loss and codewords in use of small VQ models. They are trained here.",
          .citation = {"Lingle 2023, Transformer-VQ, sections 3 and 5.1, tables 1 and 2",
                       "Hugging Face transformers, models/llama: layout of the model"},
          .parameters = vq_model_parameters(),
          .check = check_vq_model,
          .recipe = CurveRecipe{.make = make_vq_model,
                                .origin = CurveOrigin::measured,
                                .kernels = best_products<float>().name,
                                .work = vq_model_work}};
}

}  // namespace vqscope
