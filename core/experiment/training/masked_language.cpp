// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine.h"
#include "core/base/sentence.h"
#include "core/data/masked_batch.h"
#include "core/experiment/methods.h"
#include "core/experiment/study/study_work.h"
#include "core/experiment/training/model_training.h"
#include "core/experiment/training/training_data.h"
#include "core/mask/language/plain_mask.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/model/kernels/products.h"
#include "core/model/report/model_report.h"
#include "core/model/train/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

constexpr std::size_t mean_of_steps = 20;

std::vector<ParameterSpec> masked_language_parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "models",
       .label = "Models",
       .group = "Models",
       .help = "Position encodings of the models to train.",
       .kind = ParameterKind::choice_set,
       .default_value = std::vector<std::string>{"nope", "learned", "rope"},
       .choices = {{"nope", "no position encoding"},
                   {"sinusoidal", "sinusoids added to the token embeddings"},
                   {"learned", "a learnt table added to the token embeddings"},
                   {"rope", "queries and keys are rotated"}}},
      {.name = "directions",
       .label = "Attention",
       .group = "Models",
       .help = "Keys that a query sees. A causal mask tells order by itself.",
       .kind = ParameterKind::choice_set,
       .default_value = std::vector<std::string>{"bidirectional", "causal"},
       .choices = {{"bidirectional", "all keys, as an encoder"}, {"causal", "the keys up to the query's own"}}},
      make_parameter("masked_fraction", "Training", "Fraction of the tokens that are masked and predicted.",
                     {.default_value = 0.15, .minimum = 0.001, .maximum = 0.9})};
  for (const auto& more : {model_size_parameters(), optimiser_parameters(), regularisation_parameters()})
    specs.insert(specs.end(), more.begin(), more.end());
  std::ranges::find(specs, "steps", &ParameterSpec::name)->default_value = Index{300};
  specs.push_back(seed_parameter("Training", "Random seed of the data, of the masks and of the initial weights."));
  specs.push_back(worker_threads_parameter("Machine"));
  return specs;
}

/// One model under one mask.
struct MaskedModel {
  std::string name;
  TransformerConfig config;
  bool bidirectional = false;
};

/// The vocabulary has one more token than the data: the mask.
Result<std::vector<MaskedModel>> masked_models(const ParameterValues& values, Index vocabulary) {
  std::vector<MaskedModel> models;
  for (const std::string& direction : values.choices("directions"))
    for (const std::string& model : values.choices("models")) {
      TransformerConfig config = sized_config(values, vocabulary + 1);
      config.pos = model == "nope"         ? PositionKind::nope
                   : model == "sinusoidal" ? PositionKind::sinusoidal
                   : model == "learned"    ? PositionKind::learned
                                           : PositionKind::rope;
      config.max_pos = std::max(config.max_pos, values.integer("length"));
      if (auto checked = config.check(); !checked) return checked.error();
      models.push_back({model + ", " + direction, config, direction == "bidirectional"});
    }
  return models;
}

Result<void> check_masked_memory(const TransformerConfig& config, const ParameterLayout& layout, Index rows,
                                 Index length) {
  const double needed =
      static_cast<double>(TransformerPass<float>::bytes(config, layout, rows, length, Keep::gradients)) +
      6 * sizeof(float) * static_cast<double>(layout.count);
  const double memory = this_machine().memory;
  if (memory <= 0 || needed <= memory) return {};
  return too_large("training on batches of {} needs {} of memory, this machine has {}", shape_text({rows, length}),
                   byte_count(needed), byte_count(memory));
}

class MaskedTraining {
 public:
  MaskedTraining(const ParameterValues& values, const Work& work)
      : m_values(values),
        m_work(work),
        m_data(TrainingData::language(seed(), values.integer("batch_rows"), values.integer("length"))),
        m_counts(static_cast<std::size_t>(m_data.vocabulary())) {}

  Result<CurveSet> make() {
    const auto models = masked_models(m_values, m_data.vocabulary());
    if (!models) return models.error();
    auto all_keys = plain_mask("kv_idx >= 0", m_values.integer("length"));
    if (!all_keys) return all_keys.error();
    m_all_keys = std::move(*all_keys);
    describe();
    for (const MaskedModel& model : *models) {
      m_set.curves.push_back({model.name, {}});
      if (auto trained = train(model, static_cast<double>(models->size())); !trained) return trained.error();
      const auto& losses = m_set.curves.back().y;
      m_set.facts.emplace_back(model.name, losses.back());
      m_done += 1;
    }
    m_set.levels.push_back({entropy_of_tokens(), "frequencies of the tokens known"});
    m_set.facts.emplace_back("token_entropy", m_set.levels.back().y);
    return std::move(m_set);
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(m_values.integer("seed")); }
  Index steps() const { return m_values.integer("steps"); }

  void describe() {
    m_set.x_name = "step";
    m_set.x_title = "training step";
    m_set.y_title = "loss of masked tokens (nats per token)";
    m_set.formula =
        "mean over the masked tokens of the last 20 batches of -ln p(token), before the weights change; every batch is "
        "new text";
    m_set.exact = curve_stride(steps()) == 1;
    for (Index step = curve_stride(steps()); step <= steps(); step += curve_stride(steps()))
      m_set.x.push_back(static_cast<double>(step));
    m_set.levels = {{std::log(static_cast<double>(m_data.vocabulary())), "all tokens equally likely"}};
  }

  Result<void> train(const MaskedModel& model, double models) {
    const auto layout = parameter_layout(model.config);
    if (!layout) return layout.error();
    const auto [rows, length] = m_data.first_shape();
    if (auto fits = check_masked_memory(model.config, **layout, rows, length); !fits) return fits;
    auto weights = initial_weights<float>(model.config, *layout, seed(), m_work.stop);
    if (m_work.stop.stop_requested()) return cancelled();
    Trainer<float> trainer(model.config, std::move(weights), trainer_options(m_values));
    const std::vector<const Mask*> masks(model.bidirectional ? static_cast<std::size_t>(rows) : 0, m_all_keys.get());
    std::vector<double> recent;
    for (Index step = 0; step < steps(); ++step) {
      const TokenBatch text = m_data.batch(step);
      if (m_done == 0) count(text);
      const TokenBatch batch =
          masked_batch(text, static_cast<std::int32_t>(m_data.vocabulary()), m_values.real("masked_fraction"),
                       seed() * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(step));
      const auto done =
          trainer.step({.rows = rows, .length = length, .tokens = batch.tokens, .labels = batch.labels, .masks = masks},
                       worker_threads(m_values), m_work.stop);
      if (!done) return within(model.name, done.error());
      recent.push_back(done->losses.loss);
      if (recent.size() > mean_of_steps) recent.erase(recent.begin());
      add_point(step + 1, std::reduce(recent.begin(), recent.end()) / static_cast<double>(recent.size()));
      m_work.report((m_done + static_cast<double>(step + 1) / static_cast<double>(steps())) / models);
    }
    return {};
  }

  void add_point(Index step, double loss) {
    if (step % curve_stride(steps()) != 0) return;
    m_set.curves.back().y.push_back(loss);
    if (!m_work.partial) return;
    CurveSet partial = m_set;
    for (Curve& curve : partial.curves) curve.y.resize(partial.x.size(), no_value);
    m_work.partial(partial);
  }

  void count(const TokenBatch& text) {
    for (const std::int32_t token : text.tokens) ++m_counts[static_cast<std::size_t>(token)];
  }

  /// In nats: what a model can reach that knows nothing of the other tokens.
  double entropy_of_tokens() const {
    const auto all = static_cast<double>(std::reduce(m_counts.begin(), m_counts.end()));
    double entropy = 0;
    for (const Index count : m_counts)
      if (count > 0) entropy -= static_cast<double>(count) / all * std::log(static_cast<double>(count) / all);
    return entropy;
  }

  const ParameterValues& m_values;
  const Work& m_work;
  TrainingData m_data;
  std::vector<Index> m_counts;  ///< of each token
  std::shared_ptr<const Mask> m_all_keys;
  CurveSet m_set;
  double m_done = 0;  ///< models
};

Result<CurveSet> make_masked_language(const ParameterValues& values, const Work& work) {
  return MaskedTraining(values, work).make();
}

Result<void> check_masked_language(const ParameterValues& values) {
  for (const char* set : {"models", "directions"})
    if (auto checked = check_chosen(values, set); !checked) return checked;
  const auto models = masked_models(values, 2);
  return models ? Result<void>() : models.error();
}

double masked_work(const ParameterValues& values) {
  const auto models = masked_models(values, 40);
  if (!models) return 0;
  const Index rows = values.integer("batch_rows");
  const auto at_a_time = static_cast<double>(std::min<Index>(rows, worker_threads(values)));
  double all = 0;
  for (const MaskedModel& model : *models) all += step_work(model.config, rows, values.integer("length"));
  return all * static_cast<double>(values.integer("steps")) / at_a_time;
}

}  // namespace

Method masked_language_method() {
  return {.id = "masked_language",
          .title = "Masked language model",
          .help = "Loss of masked tokens by training step, with and without positions.",
          .citation = {"Haviv et al. 2022, Transformer Language Models without Positional Encodings Still Learn "
                       "Positional Information, section 5; Devlin et al. 2019, BERT, section 3.1",
                       "none compared: every masked token is replaced by the mask"},
          .parameters = masked_language_parameters(),
          .check = check_masked_language,
          .recipe = CurveRecipe{.make = make_masked_language,
                                .origin = CurveOrigin::measured,
                                .kernels = best_products<float>().name,
                                .related = {"length_extrapolation"},
                                .work = masked_work}};
}

}  // namespace vqscope
