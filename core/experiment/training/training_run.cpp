// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_training.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/experiment/corpus/text_score.h"
#include "core/experiment/study/model_reach.h"
#include "core/experiment/training/model_capture.h"
#include "core/experiment/training/training_source.h"
#include "core/model/config/transformer_json.h"
#include "core/model/kernels/products.h"
#include "core/model/report/model_report.h"
#include "core/model/train/initial_weights.h"

#include <algorithm>
#include <chrono>

namespace vqscope {
namespace {

const std::string capture_suffix = "capture.safetensors";

Result<TransformerConfig> config_of(const RunFiles& files, const ParameterValues& values, Index vocabulary) {
  const auto given = files.find("config");
  if (given == files.end()) return model_config(values, vocabulary);
  const auto json = read_config_file(given->second);
  if (!json) return json.error();
  const auto bad = [&](const std::string& message) { return invalid("{}: {}", given->second.path, message); };
  auto config = read_transformer_config(*json);
  if (!config) return bad(config.error().message);
  if (config->rerope_window > 0)
    return bad("rerope_window is given, which is for evaluation only; it must be 0 to train");
  if (config->vocab < vocabulary)
    return bad(fmt::format("vocab is {} but must be at least {} for data {}", config->vocab, vocabulary,
                           values.choice("data")));
  return config;
}

/// One row per step; with quantised keys two more columns per layer.
std::string csv_of(const std::vector<TrainingStep>& steps) {
  std::string text = "step,loss,ce_loss,commit_loss,learning_rate,gradient_norm";
  const std::size_t layers = steps.empty() ? 0 : steps.front().used_codes.size();
  for (const char* column : {"commit_loss", "used_codes"})
    for (std::size_t layer = 0; layer < layers; ++layer) text += fmt::format(",{}.layer{}", column, layer);
  for (const TrainingStep& done : steps) {
    const Losses& losses = done.losses;
    text += "\r\n" + to_text(done.step);
    for (const double value : {losses.loss, losses.ce_loss, losses.commit_loss, done.learning_rate, done.gradient_norm})
      text += "," + to_text(value);
    for (const auto& layer_values : {losses.commit_layers, done.used_codes})
      for (const double value : layer_values) text += "," + to_text(value);
  }
  return text + "\r\n";
}

template <class Real>
class TrainingRun {
 public:
  TrainingRun(const RunRequest& request, const ParameterValues& values, const Work& work)
      : m_request(request), m_values(values), m_work(work) {}

  Result<RunResult> run() {
    auto source = training_source(m_request.files, m_values);
    if (!source) return source.error();
    m_source = std::move(*source);
    const TrainingData& data = m_source->data;
    const auto config = config_of(m_request.files, m_values, data.vocabulary());
    if (!config) return config.error();
    const auto layout = parameter_layout(*config);
    if (!layout) return layout.error();
    if (auto fits = check_windows(*config); !fits) return fits.error();
    if (auto fits = check_memory(*config, **layout, data.first_shape()); !fits) return fits.error();
    if (captures())
      if (auto fits = check_model_capture<Real>(*config, **layout, data.first_shape()[1], m_request.memory); !fits)
        return fits.error();
    const auto seed = static_cast<std::uint64_t>(m_values.integer("seed"));
    auto weights = initial_weights<Real>(*config, *layout, seed, m_work.stop);
    if (m_work.stop.stop_requested()) return cancelled();
    Trainer<Real> trainer(*config, std::move(weights), trainer_options(m_values));
    if (auto resumed = resume(trainer); !resumed) return resumed.error();
    m_levels = m_source->corpus ? text_levels(*m_source->corpus, m_values.integer("length"))
                                : loss_levels(m_values.choice("data"), data.vocabulary());
    if (auto trained = train(data, trainer); !trained) return trained.error();
    if (m_stopped && !m_request.wants("state.safetensors")) return cancelled();  // nothing could continue it
    if (auto scored = score(trainer); !scored) return scored.error();
    if (auto captured = capture(trainer); !captured) return captured.error();
    return result_of(trainer);
  }

 private:
  /// The file `config` may have another kind of attention than the parameters.
  Result<void> check_windows(const TransformerConfig& config) const {
    const Index window = bptt_len(m_values);
    if (window == 0) return {};
    if (!config.quantises()) return invalid("bptt_len is {} but must be 0 for a config without attn vq", window);
    if (window % config.block_len == 0) return {};
    return invalid("bptt_len is {} but must be a multiple of block_len, {}", window, config.block_len);
  }

  Result<void> check_memory(const TransformerConfig& config, const ParameterLayout& layout,
                            const std::array<Index, 2>& shape) const {
    const Index rows = shape[0], window = bptt_len(m_values);
    const bool windows = window > 0 && window < shape[1];
    const Index length = windows ? window : shape[1], carried = windows ? carried_tokens(config) : 0;
    const auto pass =
        static_cast<double>(TransformerPass<Real>::bytes(config, layout, rows, length, Keep::gradients, carried));
    const double states = windows ? 2 * CarriedState<Real>::bytes(config, rows) : 0;
    const double needed = pass + states + 6 * sizeof(Real) * static_cast<double>(layout.count);
    if (m_request.memory <= 0 || needed <= m_request.memory) return {};
    return too_large("training on batches of {} needs {} of memory, this machine has {}", shape_text({rows, length}),
                     byte_count(needed), byte_count(m_request.memory));
  }

  Result<void> resume(Trainer<Real>& trainer) const {
    const auto given = m_request.files.find("resume");
    if (given == m_request.files.end()) return {};
    const auto file = open_tensors(given->second);
    if (!file) return file.error();
    if (auto resumed = trainer.resume(*file); !resumed) return resumed;
    if (trainer.steps() >= last_step())
      return invalid("{}: {} steps are done, steps and stop_after end at {}", given->second.path, trainer.steps(),
                     last_step());
    return {};
  }

  Index last_step() const {
    const Index steps = m_values.integer("steps"), stop_after = m_values.integer("stop_after");
    return stop_after > 0 ? std::min(steps, stop_after) : steps;
  }

  /// A loss that is not finite, or a stop after the first step, ends training and keeps what was
  /// learnt before.
  Result<void> train(const TrainingData& data, Trainer<Real>& trainer) {
    const auto begin = std::chrono::steady_clock::now();
    const int threads = worker_threads(m_values);
    while (trainer.steps() < last_step()) {
      const TokenBatch batch = data.batch(trainer.steps() / trainer.windows(data.first_shape()[1]));
      const auto positions = positions_of(batch, trainer.steps());
      const auto done =
          trainer.step({batch.rows, batch.length, batch.tokens, batch.labels, positions}, threads, m_work.stop);
      m_stopped = !done && done.error().code == Errc::cancelled && !m_steps.empty();
      if (m_stopped) break;
      if (!done && (trainer.failure().empty() || trainer.steps() == 0)) return done.error();
      if (!done) break;
      m_steps.push_back(*done);
      m_tokens += done->tokens;
      report_step(data, trainer, *done);
    }
    m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {};
  }

  void report_step(const TrainingData& data, const Trainer<Real>& trainer, const TrainingStep& done) {
    if (m_work.partial && static_cast<Index>(m_steps.size()) % curve_stride(last_step()) == 0)
      m_work.partial(curves(last_step()));
    if (m_work.trained)
      m_work.trained({.training = {},
                      .step = done.step,
                      .steps = last_step(),
                      .tokens = done.tokens,
                      .loss = done.losses.loss,
                      .sample = [&] {
                        return text_sample<Real>(data, done.step, trainer.config(), trainer.parameters(), m_work.stop);
                      }});
    m_work.report(static_cast<double>(done.step) / static_cast<double>(last_step()));
  }

  /// Only where it is named: others want the model.
  bool captures() const { return m_request.outputs && std::ranges::count(*m_request.outputs, capture_suffix) > 0; }

  /// What the trained model sees of the first batch. Not of a training that was stopped.
  Result<void> capture(const Trainer<Real>& trainer) {
    if (!captures() || m_stopped) return {};
    auto captured = model_capture(trainer.config(), trainer.parameters(), m_source->data.batch(0),
                                  worker_threads(m_values), m_work.stop);
    if (!captured) return captured.error();
    m_capture = std::move(*captured);
    return {};
  }

  /// How well the model predicts text that it was not trained on. Not of a training that was stopped.
  Result<void> score(const Trainer<Real>& trainer) {
    if (!m_source->corpus || m_stopped) return {};
    const auto& values = trainer.parameters().values;
    const Parameters<float> parameters{trainer.parameters().layout, std::vector<float>(values.begin(), values.end())};
    auto scored = score_text(trainer.config(), parameters, *m_source->corpus, m_values.integer("length"), m_work.stop);
    if (!scored) return scored.error();
    m_score = *scored;
    return {};
  }

  CurveSet curves(Index last) const {
    return training_curves(m_steps, last, m_levels, m_source->corpus ? LossUnit::bits_per_byte : LossUnit::nats);
  }

  std::vector<std::int32_t> positions_of(const TokenBatch& batch, Index step) const {
    const Index most = m_values.integer("random_positions");
    if (most == 0) return {};
    return random_positions(batch.rows, batch.length, std::max(most, batch.length),
                            static_cast<std::uint64_t>(m_values.integer("seed")), step);
  }

  CurveSet finished_curves(const Trainer<Real>& trainer) const {
    CurveSet set = curves(m_steps.empty() ? trainer.steps() : m_steps.back().step);
    // No times, so that points of a sweep are the same on every machine.
    set.facts = {{"parameter_count", static_cast<double>(trainer.parameters().layout->count)},
                 {"tokens", static_cast<double>(m_tokens)}};
    if (!m_steps.empty()) set.facts.emplace_back("last_loss", m_steps.back().losses.loss);
    if (m_score) add_score(*m_source->corpus, *m_score, set);
    if (const auto shorter = m_values.choice("data") == "passkey" ? short_reach(trainer.config(), Task::passkey)
                                                                  : std::optional<ShortReach>()) {
      set.facts.emplace_back("reach", static_cast<double>(shorter->reach));
      set.facts.emplace_back("needed_reach", static_cast<double>(shorter->needed));
    }
    return set;
  }

  RunResult result_of(const Trainer<Real>& trainer) const {
    RunResult result{.threads = worker_threads(m_values)};
    if (m_request.wants("safetensors")) result.contents["safetensors"] = trainer.weights();
    if (m_request.wants("state.safetensors")) result.contents["state.safetensors"] = trainer.state();
    if (captures()) result.contents[capture_suffix] = m_capture;
    result.contents["config.json"] = indented_json(transformer_json(trainer.config()));
    result.contents["csv"] = csv_of(m_steps);
    result.seconds.emplace_back("train", m_seconds);
    auto& facts = result.facts;
    facts.set("kernels", std::string(best_products<Real>().name));
    facts.set("parameter_count", trainer.parameters().layout->count);
    facts.set("tokens", m_tokens);
    facts.set("tokens_per_second", static_cast<double>(m_tokens) / m_seconds);
    facts.set("last_step", trainer.steps());
    std::vector<Index> step;
    std::vector<double> loss;
    for (const TrainingStep& done : m_steps) {
      step.push_back(done.step);
      loss.push_back(done.losses.loss);
    }
    facts.set("curve.step", step);
    facts.set("curve.loss", loss);
    if (!loss.empty()) facts.set("last_loss", loss.back());
    result.curves = std::make_shared<const CurveSet>(finished_curves(trainer));
    if (!trainer.failure().empty()) result.remarks.push_back(trainer.failure());
    facts.set("failure", trainer.failure());
    if (m_source->corpus) facts.set("text", m_source->corpus->key);
    if (m_score) facts.set("bits_per_byte", m_score->bits);
    if (!m_source->remark.empty()) result.remarks.push_back(m_source->remark);
    if (m_stopped)
      result.remarks.push_back(fmt::format("training stopped after step {} of {}; with its state, resume continues it",
                                           trainer.steps(), last_step()));
    return result;
  }

  const RunRequest& m_request;
  const ParameterValues& m_values;
  const Work& m_work;
  std::optional<TrainingSource> m_source;
  std::optional<TextScore> m_score;
  std::vector<NamedTensor> m_capture;
  std::vector<CurveLevel> m_levels;
  std::vector<TrainingStep> m_steps;
  Index m_tokens = 0;
  double m_seconds = 0;
  bool m_stopped = false;
};

}  // namespace

Result<RunResult> run_training(const RunRequest& request, const ParameterValues& values, const Work& work) {
  if (values.choice("precision") == "float64") return TrainingRun<double>(request, values, work).run();
  return TrainingRun<float>(request, values, work).run();
}

}  // namespace vqscope
