// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/extrapolation_runs.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/data/language.h"
#include "core/experiment/extrapolation/context_loss.h"
#include "core/experiment/extrapolation/extrapolation_parameters.h"
#include "core/experiment/training/training_data.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/trainer.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

namespace vqscope {
namespace {

/// Of all trainings at a time.
constexpr double most_bytes = 768.0 * (1 << 20);
constexpr std::uint64_t test_positions_seed = 90001;

/// A variant and its place among the chosen ones.
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

TransformerConfig trained_config(const ParameterValues& values, const ExtrapolationVariant& variant) {
  TransformerConfig config{.vocab = language::vocabulary,
                           .d_model = values.integer("d_model"),
                           .n_layers = values.integer("n_layers"),
                           .n_heads = values.integer("num_heads"),
                           .n_kv_heads = values.integer("num_heads"),
                           .d_ff = values.integer("d_ff")};
  config.head_dim = std::max<Index>(1, config.d_model / config.n_heads);
  config.max_pos = std::max<Index>(1024, values.integer("train_length") * values.integer("longest_multiple"));
  variant.train(values, config);
  return config;
}

TransformerConfig tested_config(const ParameterValues& values, const ExtrapolationVariant& variant, Index multiple) {
  TransformerConfig config = trained_config(values, variant);
  if (variant.test) variant.test(values, static_cast<double>(multiple), config);
  return config;
}

/// MODEL's windows, further on in the stream where contexts are longer.
PairedWindows windows_of(const ParameterValues& values) {
  PairedWindows windows;
  const Index longest = values.integer("train_length") * values.integer("longest_multiple");
  windows.first_end = std::max(windows.first_end, longest + 76);
  windows.stream_length =
      std::max(windows.stream_length, windows.first_end + (windows.windows - 1) * windows.stride + 1);
  return windows;
}

double bytes_of(const ParameterValues& values, const TransformerConfig& config, const ParameterLayout& layout) {
  const Index length = values.integer("train_length");
  const Index longest = length * values.integer("longest_multiple");
  const auto training =
      TransformerPass<float>::bytes(config, layout, values.integer("batch_rows"), length, Keep::everything);
  const auto test =
      TransformerPass<float>::bytes(config, layout, std::max<Index>(1, 8192 / longest), longest, Keep::logits);
  return static_cast<double>(training + test) + 8 * sizeof(float) * static_cast<double>(layout.count);
}

/// The training that needs the most, in bytes.
Result<double> largest_training(const ParameterValues& values) {
  double largest = 0;
  for (const auto& training : trainings_of(values)) {
    const TransformerConfig config = trained_config(values, training.front().variant);
    const auto layout = parameter_layout(config);
    if (!layout) return layout.error();
    largest = std::max(largest, bytes_of(values, config, **layout));
  }
  return largest;
}

/// Progress of several trainings, told one at a time.
class Told {
 public:
  Told(const Work& work, double all) : m_work(work), m_all(all) {}
  void add(double part) {
    const std::lock_guard lock(m_mutex);
    m_work.report(std::min(1.0, (m_done += part) / m_all));
  }

 private:
  const Work& m_work;
  double m_all;
  double m_done = 0;
  std::mutex m_mutex;
};

/// One seed of one training, and its losses at every multiple for each variant that shares it.
class Run {
 public:
  Run(const ParameterValues& values, const std::vector<Placed>& training, std::uint64_t seed, const Work& work,
      Told& told)
      : m_values(values),
        m_training(training),
        m_seed(seed),
        m_work(work),
        m_told(told),
        m_config(trained_config(values, training.front().variant)) {}

  /// By variant and multiple.
  Result<std::vector<std::vector<double>>> losses(std::span<const std::int32_t> test_stream) {
    auto layout = parameter_layout(m_config);
    if (!layout) return layout.error();
    auto weights = initial_weights<float>(m_config, *layout, m_seed);
    if (m_work.stop.stop_requested()) return cancelled();
    Trainer<float> trainer(m_config, std::move(weights), options());
    const auto trained = train(trainer);
    if (!trained) return trained.error();
    std::vector<std::vector<double>> all;
    for (const Placed& placed : m_training) {
      auto& own = all.emplace_back();
      for (const Index multiple : extrapolation_multiples(m_values)) {
        const auto loss = *trained ? test(trainer.parameters(), placed.variant, multiple, test_stream)
                                   : Result<double>(std::numeric_limits<double>::infinity());
        if (!loss) return loss.error();
        own.push_back(*loss);
      }
    }
    return all;
  }

 private:
  TrainerOptions options() const {
    TrainerOptions options;
    options.rate.lr_max = m_values.real("lr_max");
    options.rate.total_steps = m_values.integer("train_steps");
    options.rate.warmup_steps = std::min<Index>(50, options.rate.total_steps);
    return options;
  }

  std::vector<std::int32_t> positions(Index rows, Index length, std::uint64_t seed, Index step) const {
    if (!m_training.front().variant.random_positions) return {};
    const Index most = m_values.integer("train_length") * m_values.integer("longest_multiple");
    return random_positions(rows, length, most, seed, step);
  }

  /// False: the loss was not finite.
  Result<bool> train(Trainer<float>& trainer) {
    const auto data = TrainingData::language(m_seed, m_values.integer("batch_rows"), m_values.integer("train_length"));
    for (Index step = 0; step < m_values.integer("train_steps"); ++step) {
      if (m_work.stop.stop_requested()) return cancelled();
      const TokenBatch batch = data.batch(step);
      const auto at = positions(batch.rows, batch.length, m_seed, step);
      const auto done = trainer.step({batch.rows, batch.length, batch.tokens, batch.labels, at}, 1, m_work.stop);
      if (!done && trainer.failure().empty()) return done.error();
      if (!done) return false;
      m_told.add(1);
    }
    return true;
  }

  Result<double> test(const Parameters<float>& parameters, const ExtrapolationVariant& variant, Index multiple,
                      std::span<const std::int32_t> stream) const {
    const TransformerConfig config = tested_config(m_values, variant, multiple);
    const auto batch = windows_of(m_values).batch(stream, m_values.integer("train_length") * multiple);
    if (!batch) return batch.error();
    return context_loss(config, parameters, *batch,
                        positions(batch->rows, batch->length, test_positions_seed, multiple), m_work.stop);
  }

  const ParameterValues& m_values;
  const std::vector<Placed>& m_training;
  std::uint64_t m_seed;
  const Work& m_work;
  Told& m_told;
  TransformerConfig m_config;
};

Result<int> threads_of(const ParameterValues& values) {
  const auto bytes = largest_training(values);
  if (!bytes) return bytes.error();
  const Index given = values.integer("train_threads");
  const Index wanted = given > 0 ? given : std::max<Index>(1, std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<Index>(static_cast<Index>(most_bytes / *bytes), 1, wanted));
}

}  // namespace

Result<void> check_extrapolation(const ParameterValues& values) {
  if (values.choices("models").empty()) return invalid("models is empty, must have at least one model");
  for (const ExtrapolationVariant& variant : chosen_variants(values))
    if (auto checked = tested_config(values, variant, 2).check(); !checked)
      return invalid(variant.id + ": " + checked.error().message);
  const auto bytes = largest_training(values);
  if (!bytes) return bytes.error();
  if (*bytes <= most_bytes) return {};
  return Error{Errc::too_large, "a training needs " + byte_count(*bytes) + ", must need at most " +
                                    byte_count(most_bytes) + "; use fewer rows, layers or a smaller d_model"};
}

Result<ExtrapolationLosses> run_extrapolation(const ParameterValues& values, const Work& work,
                                              const std::function<void(const ExtrapolationLosses&)>& measured) {
  const auto trainings = trainings_of(values);
  const auto threads = threads_of(values);
  if (!threads) return threads.error();
  const Index seeds = values.integer("seed_count");
  const PairedWindows windows = windows_of(values);
  const auto stream = language::stream(windows.seed, windows.stream_length);
  const auto multiples = extrapolation_multiples(values).size();
  ExtrapolationLosses losses(
      chosen_variants(values).size(),
      {static_cast<std::size_t>(seeds), std::vector<double>(multiples, std::numeric_limits<double>::quiet_NaN())});
  const Index runs = static_cast<Index>(trainings.size()) * seeds;
  Told told(work, static_cast<double>(runs * values.integer("train_steps")));
  std::mutex mutex;
  std::optional<Error> failure;
  parallel_for(runs, *threads, [&](Index i) {
    if (work.stop.stop_requested()) return;
    const auto& training = trainings[static_cast<std::size_t>(i / seeds)];
    const auto seed = static_cast<std::uint64_t>(values.integer("seed") + i % seeds);
    const auto own = Run(values, training, seed, work, told).losses(stream);
    const std::lock_guard lock(mutex);
    if (!own && !failure) failure = own.error();
    if (!own) return;
    for (std::size_t v = 0; v < training.size(); ++v)
      losses[training[v].place][static_cast<std::size_t>(i % seeds)] = (*own)[v];
    measured(losses);
  });
  if (work.stop.stop_requested()) return cancelled();
  if (failure) return *failure;
  return losses;
}

}  // namespace vqscope
