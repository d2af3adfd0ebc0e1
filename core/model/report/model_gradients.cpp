// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_report.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/model/config/transformer_json.h"
#include "core/model/train/initial_weights.h"

#include <array>
#include <cmath>

namespace vqscope {
namespace {

template <class Real>
class GradientReport {
 public:
  GradientReport(const ModelGradientsInput& input, const TransformerConfig& config,
                 std::shared_ptr<const ParameterLayout> layout, const std::stop_token& stop)
      : m_input(input), m_config(config), m_layout(std::move(layout)), m_stop(stop) {}

  Result<ModelGradients> make() {
    const bool trains = m_input.config.find("optimizer") != nullptr;
    const auto first = read_batch(m_input.inputs, trains ? ".step1" : "");
    if (!first) return first.error();
    if (auto fits = check_memory(*first, trains); !fits) return fits.error();
    auto weights = read_parameters<Real>(m_input.weights, m_layout);
    if (!weights) return weights.error();
    m_parameters = std::move(*weights);
    m_gradient = zeros_of<Real>(m_layout);
    for (const ParameterTensor& tensor : m_layout->tensors) m_report.parameters.push_back(tensor.name);
    m_report.count = m_layout->count;
    const ConfigValue* optimiser = m_input.config.find("optimizer");
    auto done = optimiser ? train(*optimiser) : run_once();
    if (!done) return done.error();
    return std::move(m_report);
  }

 private:
  using Pass = TransformerPass<Real>;

  /// Rows whose attention weights are reported.
  static Index reported_rows(const BatchFile& batch) {
    return batch.doc_ids.empty() && batch.pad_mask.empty() ? 1 : batch.rows;
  }

  Result<void> check_memory(const BatchFile& batch, bool trains) const {
    if (auto checked = check_batch(m_config, batch.batch()); !checked) return m_input.inputs.named(checked.error());
    const auto all = static_cast<double>(m_layout->count);
    const auto length = static_cast<double>(batch.length);
    const double weights = static_cast<double>(reported_rows(batch)) *
                           static_cast<double>(m_config.attention_layers()) * static_cast<double>(m_config.n_heads) *
                           length;
    const double logits = static_cast<double>(batch.rows) * static_cast<double>(m_config.vocab);
    const double reported = trains ? all : all + length * (weights + logits);
    const double needed =
        static_cast<double>(Pass::bytes(m_config, *m_layout, batch.rows, batch.length, Keep::everything)) +
        all * sizeof(Real) * (trains ? 4 : 2) + reported * sizeof(double);
    if (m_input.memory <= 0 || needed <= m_input.memory) return {};
    return too_large("this model and a batch of {} need {} of memory, this machine has {}",
                     shape_text({batch.rows, batch.length}), byte_count(needed), byte_count(m_input.memory));
  }

  Result<std::unique_ptr<Pass>> pass_for(const BatchFile& batch) const {
    // Checked before the pass is created with these sizes.
    if (auto checked = check_batch(m_config, batch.batch()); !checked) return m_input.inputs.named(checked.error());
    return Pass::create(m_config, m_layout, batch.rows, batch.length, Keep::everything);
  }

  Result<void> run_once() {
    const auto batch = read_batch(m_input.inputs);
    if (!batch) return batch.error();
    const auto pass = pass_for(*batch);
    if (!pass) return pass.error();
    const bool backward = m_config.rerope_window == 0;
    const auto losses =
        (*pass)->run(m_parameters, batch->batch(), backward ? &m_gradient : nullptr, m_input.threads, m_stop);
    if (!losses) return losses.error();
    if (!std::isfinite(losses->loss)) return bad_loss(losses->loss, "the loss");
    m_report.losses = *losses;
    add_logits(**pass, *batch);
    add("loss", {1}, std::vector<double>{losses->loss});
    add("ce_loss", {1}, std::vector<double>{losses->ce_loss});
    if (m_config.quantises()) add("commit_loss", {1}, std::vector<double>{losses->commit_loss});
    for (const ParameterTensor& tensor : m_layout->tensors)
      if (backward && tensor.offset < m_layout->learnt)
        add("grad." + tensor.name, tensor.shape, m_gradient.tensor(tensor));
    for (Index layer = 0; layer < m_config.attention_layers(); ++layer)
      append_layer({m_config, batch->rows, batch->length, reported_rows(*batch)}, **pass, layer, m_report.tensors);
    (*pass)->update_codebooks(m_parameters);
    add_after(m_layout->learnt);
    return {};
  }

  Result<void> train(const ConfigValue& json) {
    const auto options = read_optimiser(json);
    if (!options) return options.error();
    AdamW<Real> optimiser(m_layout, options->adamw);
    for (Index t = 1;; ++t) {
      const std::string suffix = fmt::format(".step{}", t);
      if (t > 1 && !m_input.inputs.find("in.tokens" + suffix)) break;
      const auto batch = read_batch(m_input.inputs, suffix);
      if (!batch) return batch.error();
      const auto pass = pass_for(*batch);
      if (!pass) return pass.error();
      const auto losses = (*pass)->run(m_parameters, batch->batch(), &m_gradient, m_input.threads, m_stop);
      if (!losses) return losses.error();
      if (!std::isfinite(losses->loss)) return bad_loss(losses->loss, fmt::format("the loss of step {}", t));
      const double rate = options->rate.at(t);
      const GradientClip clip = optimiser.step(m_parameters, m_gradient, rate);
      clamp_learnt_bias(m_config, m_parameters);
      (*pass)->update_codebooks(m_parameters);
      m_report.steps.push_back({rate, losses->loss, clip.norm, clip.coefficient});
    }
    add_after(0);
    return {};
  }

  static Error bad_loss(double loss, const std::string& which) {
    return invalid("{} is {} but must be finite; the weights are too large for {}", which, plain_text(loss),
                   sizeof(Real) == 4 ? "float32" : "float64");
  }

  template <class Values>
  void add(std::string name, std::vector<Index> shape, const Values& values) {
    m_report.tensors.push_back({std::move(name), std::move(shape), std::vector<double>(values.begin(), values.end())});
  }

  void add_logits(const Pass& pass, const BatchFile& batch) {
    std::vector<double> all;
    for (Index row = 0; row < batch.rows; ++row)
      for (const Real value : pass.logits(row)) all.push_back(static_cast<double>(value));
    add("logits", {batch.rows, batch.length, m_config.vocab}, all);
  }

  /// Adds the current parameters, from an offset on.
  void add_after(Index offset) {
    for (const ParameterTensor& tensor : m_layout->tensors)
      if (tensor.offset >= offset) add("after." + tensor.name, tensor.shape, m_parameters.tensor(tensor));
  }

  const ModelGradientsInput& m_input;
  const TransformerConfig& m_config;
  std::shared_ptr<const ParameterLayout> m_layout;
  std::stop_token m_stop;
  Parameters<Real> m_parameters;
  Parameters<Real> m_gradient;
  ModelGradients m_report;
};

}  // namespace

Result<ModelGradients> model_gradients(const ModelGradientsInput& input, const std::stop_token& stop) {
  constexpr std::array<std::string_view, 1> also{"optimizer"};
  return guarded([&]() -> Result<ModelGradients> {
    const auto bad_config = [&](const Error& error) {
      return Error{error.code, (input.config_path.empty() ? "" : input.config_path + ": ") + error.message, {}};
    };
    const auto config = read_transformer_config(input.config, also);
    if (!config) return bad_config(config.error());
    const auto layout = parameter_layout(*config);
    if (!layout) return bad_config(layout.error());
    if (input.float32) return GradientReport<float>(input, *config, *layout, stop).make();
    return GradientReport<double>(input, *config, *layout, stop).make();
  });
}

}  // namespace vqscope
