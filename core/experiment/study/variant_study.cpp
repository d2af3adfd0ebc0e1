// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/variant_study.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/experiment/study/study_work.h"
#include "core/experiment/training/training_data.h"
#include "core/model/config/transformer_config.h"
#include "core/model/train/initial_weights.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

namespace vqscope {

TransformerConfig trained_config(const VariantStudy& study, const ExtrapolationVariant& variant) {
  const ParameterValues& values = study.values;
  const Index heads = values.integer("num_heads"), kv_heads = values.integer("num_kv_heads");
  TransformerConfig config{.vocab = study.vocabulary,
                           .d_model = values.integer("d_model"),
                           .n_layers = values.integer("n_layers"),
                           .n_heads = heads,
                           .n_kv_heads = kv_heads == 0 ? heads : kv_heads,
                           .d_ff = values.integer("d_ff")};
  config.head_dim = std::max<Index>(1, config.d_model / config.n_heads);
  config.max_pos = std::max<Index>(1024, study.longest());
  if (values.choice("layer") == "shga") use_gated_layers(config);
  variant.train(values, config);
  return config;
}

TransformerConfig tested_config(const VariantStudy& study, const ExtrapolationVariant& variant, Index length) {
  TransformerConfig config = trained_config(study, variant);
  const double multiple = static_cast<double>(length) / static_cast<double>(study.train_length());
  const double least = study.tuning.steps > 0 ? static_cast<double>(study.tuning.multiple) : 1;
  if (variant.test) variant.test(study.values, std::max(least, multiple), config);
  return config;
}

namespace {

/// Curves that have colours of their own.
constexpr Index most_variants = 36;
/// Memory limit for all trainings that run at a time.
constexpr double most_bytes = 768.0 * (1 << 20);
constexpr double work_of_a_second = 2e10;  ///< on one core with AVX2, about; twice as much with AVX-512
constexpr std::uint64_t test_positions_seed = 90001;
/// Learning rate of fine-tuning, as a fraction of that of training.
constexpr double tuning_rate = 0.1;

/// A variant and its index among the chosen ones.
struct Placed {
  ExtrapolationVariant variant;
  std::size_t place = 0;
};

/// Variants that share a training.
std::vector<std::vector<Placed>> trainings_of(const ParameterValues& values) {
  std::vector<std::vector<Placed>> trainings;
  const auto chosen = chosen_variants(values);
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    const auto known = std::ranges::find(trainings, chosen[place].training,
                                         [](const auto& training) { return training.front().variant.training; });
    auto& training = known == trainings.end() ? trainings.emplace_back() : *known;
    training.push_back({chosen[place], place});
  }
  return trainings;
}

/// The config for fine-tuning a variant; for ReRoPE, which has no gradient, the config of training.
TransformerConfig tuned_config(const VariantStudy& study, const ExtrapolationVariant& variant) {
  TransformerConfig config = tested_config(study, variant, study.train_length());
  return config.rerope_window > 0 ? trained_config(study, variant) : config;
}

/// Tokens of a sequence that a step takes.
Index window_of(const VariantStudy& study, const TransformerConfig& config, Index length) {
  return study.bptt_len > 0 && config.quantises() ? std::min(length, study.bptt_len) : length;
}

/// Of one step of training or fine-tuning, whose batches have as many tokens.
double step_of(const VariantStudy& study, const TransformerConfig& config) {
  return step_work(config, study.values.integer("batch_rows"), window_of(study, config, study.train_length()));
}

/// Of a step on batches of `rows` sequences.
double step_bytes(const VariantStudy& study, const TransformerConfig& config, const ParameterLayout& layout, Index rows,
                  Index length) {
  const Index window = window_of(study, config, length), carried = window < length ? carried_tokens(config) : 0;
  const auto pass = TransformerPass<float>::bytes(config, layout, rows, window, Keep::gradients, carried);
  return static_cast<double>(pass) + (carried > 0 ? 2 * CarriedState<float>::bytes(config, rows) : 0);
}

double test_work(const VariantStudy& study, const ExtrapolationVariant& variant, std::size_t test) {
  const Index length = study.lengths[test];
  return pass_work(tested_config(study, variant, length), study.test_rows, length);
}

/// Memory of a test at a length, next to the weights.
Result<double> test_memory(const VariantStudy& study, const ExtrapolationVariant& variant, Index length) {
  const TransformerConfig config = tested_config(study, variant, length);
  const auto layout = parameter_layout(config);
  if (!layout) return layout.error();
  constexpr double of_token = 2 * sizeof(std::int32_t);  // itself and its label
  return test_bytes(config, **layout, length, variant.random_positions) +
         of_token * static_cast<double>(study.test_rows) * static_cast<double>(length);
}

/// `test`: the largest memory of a test.
double bytes_of(const VariantStudy& study, const TransformerConfig& config, const ParameterLayout& layout,
                double test) {
  const double training = step_bytes(study, config, layout, study.values.integer("batch_rows"), study.train_length());
  const FineTuning& tuning = study.tuning;
  const double tuned =
      tuning.steps == 0 ? 0 : step_bytes(study, config, layout, tuning.rows, tuning.multiple * study.train_length());
  return training + std::max(test, tuned) + 8 * sizeof(float) * static_cast<double>(layout.count);
}

/// Whether a training is skipped, which needs too much memory without its tests.
bool skips_training(const VariantStudy& study, const ExtrapolationVariant& variant) {
  if (!study.skips_trainings) return false;
  const TransformerConfig config = trained_config(study, variant);
  const auto layout = parameter_layout(config);
  return layout && bytes_of(study, config, **layout, 0) > most_bytes;
}

/// Bytes of the training that needs the most memory; of those that are not skipped, if there are any.
Result<double> largest_training(const VariantStudy& study) {
  const auto trainings = trainings_of(study.values);
  const auto skips = [&](const std::vector<Placed>& training) {
    return skips_training(study, training.front().variant);
  };
  const bool skips_all = std::ranges::all_of(trainings, skips);
  double largest = 0;
  for (const auto& training : trainings) {
    if (!skips_all && skips(training)) continue;
    const TransformerConfig config = trained_config(study, training.front().variant);
    const auto layout = parameter_layout(config);
    if (!layout) return layout.error();
    double test = 0;
    for (const Placed& placed : training)
      for (std::size_t i = 0; i < study.lengths.size(); ++i)
        if (skipped_test(study, placed.variant, i) == Skipped::no)
          if (const auto bytes = test_memory(study, placed.variant, study.lengths[i])) test = std::max(test, *bytes);
    largest = std::max(largest, bytes_of(study, config, **layout, test));
  }
  return largest;
}

/// Of all trainings and tests, one after the other.
double whole_work(const VariantStudy& study) {
  double of_seed = 0;
  for (const auto& training : trainings_of(study.values)) {
    if (skips_training(study, training.front().variant)) continue;
    const double step = step_of(study, trained_config(study, training.front().variant));
    of_seed += static_cast<double>(study.values.integer("train_steps")) * step;
    for (const Placed& placed : training) {
      of_seed += static_cast<double>(study.tuning.steps) * step;
      for (std::size_t test = 0; test < study.lengths.size(); ++test)
        if (skipped_test(study, placed.variant, test) == Skipped::no) of_seed += test_work(study, placed.variant, test);
    }
  }
  return of_seed * static_cast<double>(study.values.integer("seed_count"));
}

/// One seed of one training, with the measure of every test for each variant that shares it.
class Run {
 public:
  Run(const VariantStudy& study, const std::vector<Placed>& training, std::uint64_t seed, const Work& work,
      StudyProgress& progress, TrainedModels& models)
      : m_study(study),
        m_training(training),
        m_work(work),
        m_progress(progress),
        m_models(models),
        m_key{.config = trained_config(study, training.front().variant),
              .data = study.data,
              .steps = study.values.integer("train_steps"),
              .rows = study.values.integer("batch_rows"),
              .lr_max = study.values.real("lr_max"),
              .seed = seed,
              .positions_below = training.front().variant.random_positions ? study.longest() : 0,
              .optimiser =
                  study.values.choice("optimiser") == "adafactor" ? OptimiserKind::adafactor : OptimiserKind::adamw,
              .dropout = study.values.real("dropout"),
              .layerdrop = study.values.real("layerdrop"),
              .bptt_len = trained_config(study, training.front().variant).quantises() ? study.bptt_len : 0} {}

  /// The measures by variant and test.
  Result<std::vector<std::vector<Measured>>> measures(const TrainedModels::Model& trained) const {
    std::vector<std::vector<Measured>> all;
    for (const Placed& placed : m_training) {
      const auto model = tuned(trained, placed);
      if (!model) return model.error();
      auto& own = all.emplace_back();
      for (std::size_t test = 0; test < m_study.lengths.size(); ++test) {
        if (skipped_test(m_study, placed.variant, test) != Skipped::no) {
          own.push_back({no_value});
          m_progress.end_test(0);
          continue;
        }
        auto measured = measure(**model, placed.variant, test);
        if (!measured) return measured.error();
        own.push_back(std::move(*measured));
        m_progress.end_test(test_work(m_study, placed.variant, test));
      }
    }
    return all;
  }

  /// Counts the training and its tests as done.
  void skip() {
    m_progress.end_training();
    for (std::size_t test = 0; test < m_training.size() * m_study.lengths.size(); ++test) m_progress.end_test(0);
  }

  Result<TrainedModels::Model> trained() {
    if (auto kept = m_models.find(m_key)) {
      m_progress.add(static_cast<double>(m_key.steps) * step_of(m_study, m_key.config));
      m_progress.end_training();
      return kept;
    }
    auto layout = parameter_layout(m_key.config);
    if (!layout) return layout.error();
    auto weights = initial_weights<float>(m_key.config, *layout, m_key.seed, m_work.stop);
    if (m_work.stop.stop_requested()) return cancelled();
    Trainer<float> trainer(m_key.config, std::move(weights), options());
    TrainingTrace trace;
    const auto finite = train(named(m_training.front(), ""), trainer, m_study.training(m_key.seed), m_key.steps, trace);
    if (!finite) return finite.error();
    TrainedModels::Model model = std::make_shared<const TrainedModel>(
        *finite ? std::optional(trainer.parameters()) : std::nullopt, std::move(trace));
    m_models.keep(m_key, model);
    m_progress.end_training();
    return model;
  }

 private:
  /// The fine-tuned model; the model itself if nothing is fine-tuned or its training failed.
  Result<TrainedModels::Model> tuned(const TrainedModels::Model& model, const Placed& placed) const {
    const FineTuning& tuning = m_study.tuning;
    if (tuning.steps == 0 || !model->parameters()) return model;
    TrainingKey key = m_key;
    key.before = m_key.config;
    key.config = tuned_config(m_study, placed.variant);
    key.data = fmt::format("{}; then {} of {}", m_key.data, tuning.rows, tuning.multiple);
    key.tuning_steps = tuning.steps;
    if (auto kept = m_models.find(key)) {
      m_progress.add(static_cast<double>(tuning.steps) * step_of(m_study, key.config));
      return kept;
    }
    TrainerOptions some = options();
    some.rate.lr_max *= tuning_rate;
    some.rate.total_steps = tuning.steps;
    some.rate.warmup_steps = std::min<Index>(10, tuning.steps);
    Trainer<float> trainer(key.config, *model->parameters(), some);
    TrainingTrace trace;
    const auto finite = train(named(placed, ", fine-tuned"), trainer, tuning.data(m_key.seed), tuning.steps, trace);
    if (!finite) return finite.error();
    TrainedModels::Model then = std::make_shared<const TrainedModel>(
        *finite ? std::optional(trainer.parameters()) : std::nullopt, std::move(trace));
    m_models.keep(std::move(key), then);
    return then;
  }

  TrainerOptions options() const {
    TrainerOptions options;
    options.rate.lr_max = m_key.lr_max;
    options.rate.total_steps = m_key.steps;
    options.rate.warmup_steps = std::min<Index>(50, m_key.steps);
    options.optimiser = m_key.optimiser;
    options.dropout = m_key.dropout;
    options.layerdrop = m_key.layerdrop;
    options.seed = m_key.seed;
    options.bptt_len = m_key.bptt_len;
    return options;
  }

  std::vector<std::int32_t> positions(const TokenBatch& batch, std::uint64_t seed, Index step) const {
    if (m_key.positions_below == 0) return {};
    return random_positions(batch.rows, batch.length, m_key.positions_below, seed, step);
  }

  /// Names a training in its news.
  TrainingProgress named(const Placed& placed, const std::string& more) const {
    return {.training = fmt::format("{}{}, seed {}", placed.variant.id, more, m_key.seed),
            .model = placed.variant.id + more,
            .place = placed.place};
  }

  void report_step(TrainingProgress update, const Trainer<float>& trainer, const TrainingData& data,
                   const TrainingStep& done) const {
    if (!m_work.trained) return;
    update.step = done.step;
    update.tokens = done.tokens;
    update.loss = done.losses.loss;
    update.sample = [&] {
      return text_sample<float>(data, done.step, trainer.config(), trainer.parameters(), m_work.stop);
    };
    m_work.trained(update);
  }

  /// Returns false if the loss was not finite.
  Result<bool> train(TrainingProgress update, Trainer<float>& trainer, const TrainingData& data, Index steps,
                     TrainingTrace& trace) const {
    std::vector<double> seconds;
    update.steps = steps;
    for (Index step = 0; step < steps; ++step) {
      if (m_work.stop.stop_requested()) return cancelled();
      const TokenBatch batch = data.batch(step / trainer.windows(data.first_shape()[1]));
      const auto at = positions(batch, m_key.seed, step);
      const auto begin = std::chrono::steady_clock::now();
      const auto done = trainer.step({batch.rows, batch.length, batch.tokens, batch.labels, at}, 1, m_work.stop);
      if (!done && trainer.failure().empty()) return done.error();
      if (!done) return false;
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      trace.steps.push_back(*done);
      report_step(update, trainer, data, *done);
      m_progress.add(step_of(m_study, trainer.config()));
    }
    std::ranges::nth_element(seconds, seconds.begin() + steps / 2);
    trace.seconds_per_step = seconds[static_cast<std::size_t>(steps / 2)];
    return true;
  }

  Result<Measured> measure(const TrainedModel& model, const ExtrapolationVariant& variant, std::size_t test) const {
    if (!model.parameters()) return Measured{m_study.failed};
    const Index length = m_study.lengths[test];
    const std::string data = m_study.test_name ? m_study.data + "; " + m_study.test_name(test) : m_study.data;
    TestKey key{tested_config(m_study, variant, length), data, length, m_study.measure};
    if (const auto known = model.measured(key)) return *known;
    const auto batch = m_study.test(test);
    if (!batch) return batch.error();
    const auto at = positions(*batch, test_positions_seed, length);
    auto value = m_study.measure(key.config, *model.parameters(), *batch, at, m_work.stop);
    if (value) model.keep(std::move(key), *value);
    return value;
  }

  const VariantStudy& m_study;
  const std::vector<Placed>& m_training;
  const Work& m_work;
  StudyProgress& m_progress;
  TrainedModels& m_models;
  TrainingKey m_key;
};

Result<int> threads_of(const VariantStudy& study) {
  const auto bytes = largest_training(study);
  if (!bytes) return bytes.error();
  const Index given = study.values.integer("train_threads");
  const Index wanted = given > 0 ? given : std::max<Index>(1, std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<Index>(static_cast<Index>(most_bytes / *bytes), 1, wanted));
}

}  // namespace

Skipped skipped_test(const VariantStudy& study, const ExtrapolationVariant& variant, std::size_t test) {
  if (skips_training(study, variant)) return Skipped::memory;
  if (test_work(study, variant, test) > work_of_a_second * study.most_test_seconds) return Skipped::time;
  const auto bytes = test_memory(study, variant, study.lengths[test]);
  return bytes && *bytes > most_bytes ? Skipped::memory : Skipped::no;
}

std::string most_study_memory() { return byte_count(most_bytes); }

Index VariantStudy::longest() const { return std::max(train_length(), std::ranges::max(lengths)); }

double study_work(const VariantStudy& study) {
  const Index runs = std::ssize(trainings_of(study.values)) * study.values.integer("seed_count");
  const auto threads = threads_of(study);
  return whole_work(study) / static_cast<double>(std::max<Index>(1, std::min<Index>(runs, threads ? *threads : 1)));
}

namespace {

Result<void> check_first_test(const VariantStudy& study, const ExtrapolationVariant& variant) {
  const Skipped skipped = skips_training(study, variant) ? Skipped::no : skipped_test(study, variant, 0);
  if (skipped == Skipped::no) return {};
  const Index length = study.lengths.front();
  if (skipped == Skipped::time)
    return too_large("{}: its test at {} tokens takes about {} s but must take at most {} s", variant.id, length,
                     to_text(std::ceil(test_work(study, variant, 0) / work_of_a_second)),
                     to_text(study.most_test_seconds));
  return too_large("{}: its test at {} tokens needs {} but must need at most {}", variant.id, length,
                   byte_count(*test_memory(study, variant, length)), most_study_memory());
}

}  // namespace

Result<void> check_study(const VariantStudy& study) {
  if (study.values.choices("models").empty()) return invalid("models is empty but must have at least one model");
  const auto variants = chosen_variants(study.values);
  if (variants.empty()) return invalid("vq_cache is empty but must have at least one choice");
  if (std::ssize(variants) > most_variants)
    return invalid("models has {} models, with and without the cache, but must have at most {}", variants.size(),
                   most_variants);
  for (const ExtrapolationVariant& variant : variants)
    if (auto checked = tested_config(study, variant, 2 * study.train_length()).check(); !checked)
      return invalid("{}: {}", variant.id, checked.error().message);
  for (const ExtrapolationVariant& variant : variants)
    if (auto checked = check_first_test(study, variant); !checked) return checked;
  const auto bytes = largest_training(study);
  if (!bytes) return bytes.error();
  if (*bytes <= most_bytes) return {};
  return too_large(
      "a training at {} tokens needs {} but must need at most {}; use fewer rows or layers, or a smaller "
      "d_model",
      study.train_length(), byte_count(*bytes), byte_count(most_bytes));
}

Result<VariantMeasures> run_study(const VariantStudy& study, const Work& work,
                                  const std::function<void(const VariantMeasures&)>& measured, TrainedModels& models) {
  const ParameterValues& values = study.values;
  const auto trainings = trainings_of(values);
  const auto threads = threads_of(study);
  if (!threads) return threads.error();
  const Index seeds = values.integer("seed_count");
  VariantMeasures measures(chosen_variants(values).size(),
                           {static_cast<std::size_t>(seeds),
                            std::vector<double>(study.lengths.size(), std::numeric_limits<double>::quiet_NaN())});
  const Index runs = static_cast<Index>(trainings.size()) * seeds;
  const Index tests = static_cast<Index>(measures.size() * study.lengths.size()) * seeds;
  StudyProgress progress(work, whole_work(study), runs, tests);
  std::mutex mutex;
  std::optional<Error> failure;
  parallel_for(runs, *threads, [&](Index i) {
    if (work.stop.stop_requested()) return;
    const auto& training = trainings[static_cast<std::size_t>(i / seeds)];
    const auto seed = static_cast<std::uint64_t>(values.integer("seed") + i % seeds);
    Run run(study, training, seed, work, progress, models);
    if (skips_training(study, training.front().variant)) return run.skip();
    const auto model = run.trained();
    const auto own = model ? run.measures(*model) : Result<std::vector<std::vector<Measured>>>(model.error());
    const std::lock_guard lock(mutex);
    if (!own && !failure) failure = own.error();
    if (!own) return;
    const auto at = static_cast<std::size_t>(i % seeds);
    for (std::size_t v = 0; v < training.size(); ++v) {
      const std::size_t place = training[v].place;
      for (std::size_t test = 0; test < study.lengths.size(); ++test) {
        const Measured& result = (*own)[v][test];
        measures[place][at][test] = result.value;
        if (study.tested) study.tested(place, at, test, result);
      }
      if (study.trained) study.trained(place, at, **model);
    }
    measured(measures);
  });
  if (work.stop.stop_requested()) return cancelled();
  if (failure) return *failure;
  return measures;
}

}  // namespace vqscope
