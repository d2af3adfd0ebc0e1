// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/model_tokens.h"

#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/base/work.h"
#include "core/data/language.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/model/pass/transformer_pass.h"

namespace vqscope {
namespace {

constexpr double most_pass_bytes = 512.0 * (1 << 20);
constexpr std::uint64_t unseen_stream = 90001;  // stream of the tests, which no training uses
constexpr double training_fraction = 0.95;      // fraction of the time

ParameterSpec whole_number(const char* name, const char* help, Index default_value, double minimum, double maximum) {
  return make_parameter(name, "Data", help,
                        {.default_value = default_value,
                         .minimum = minimum,
                         .maximum = maximum,
                         .logarithmic = maximum > 1000,
                         .relevant = {{"data", {"model"}}}});
}

VariantStudy study_of(const ParameterValues& values, Index n_code) {
  ParameterValues own;
  own.set("models", std::vector<std::string>{"vq"});
  own.set("seed", values.integer("seed"));
  own.set("seed_count", Index{1});
  own.set("train_steps", values.integer("model_steps"));
  return vq_model_study(own, n_code);
}

TransformerConfig config_of(const VariantStudy& study) {
  return trained_config(study, chosen_variants(study.values).front());
}

Result<void> check_sizes(const TransformerConfig& config, const ParameterValues& values, Index length) {
  if (const Index layer = values.integer("model_layer"); layer >= config.n_layers)
    return invalid("model_layer is {} but must be below {}, the model's layers", layer, config.n_layers);
  if (const Index head = values.integer("model_head"); head >= config.n_heads)
    return invalid("model_head is {} but must be below {}, the model's heads", head, config.n_heads);
  const auto layout = parameter_layout(config);
  if (!layout) return layout.error();
  const auto bytes = static_cast<double>(TransformerPass<float>::bytes(config, **layout, 1, length, Keep::gradients));
  if (bytes <= most_pass_bytes) return {};
  return invalid("{} tokens and n_code {} need {} for a pass of the model but must be at most {}", length,
                 config.n_code, byte_count(bytes), byte_count(most_pass_bytes));
}

/// Trains the model, or takes an earlier training from the cache.
Result<Parameters<float>> train(VariantStudy study, const Work& work) {
  std::optional<Parameters<float>> weights;
  study.trained = [&](std::size_t, std::size_t, const TrainedModel& model) { weights = model.parameters(); };
  if (const auto done = run_study(study, part_of(work, 0, training_fraction), [](const VariantMeasures&) {}); !done)
    return done.error();
  if (!weights) return invalid("the loss of the model's training is not finite; try another seed");
  return std::move(*weights);
}

/// One head of [rows, heads · width].
std::vector<float> head_of(std::span<const float> all, Index head, Index heads, Index width) {
  std::vector<float> some;
  for (Index at = head * width; at < static_cast<Index>(all.size()); at += heads * width)
    some.insert(some.end(), all.begin() + at, all.begin() + at + width);
  return some;
}

Result<VqTokens> tokens_of(const ParameterValues& values, Index n_code, Index length, const Work& work) {
  const VariantStudy study = study_of(values, n_code);
  const TransformerConfig config = config_of(study);
  const auto weights = train(study, work);
  if (!weights) return weights.error();
  const auto pass = TransformerPass<float>::create(config, weights->layout, 1, length, Keep::gradients);
  if (!pass) return pass.error();
  const auto stream = language::stream(unseen_stream, length);
  const Batch batch{.rows = 1, .length = length, .tokens = stream};
  if (const auto ran = (*pass)->run(*weights, batch, nullptr, 1, work.stop); !ran) return ran.error();
  const Index layer = values.integer("model_layer"), head = values.integer("model_head");
  const auto codebook = (*pass)->codebook(layer);
  const Index codewords = head * config.n_code * config.head_dim;
  return VqTokens{
      .length = length,
      .d_k = config.head_dim,
      .d_v = config.head_dim,
      .n_code = config.n_code,
      .queries = head_of((*pass)->queries(layer, 0), head, config.n_heads, config.head_dim),
      .keys = head_of((*pass)->keys(layer, 0), head, config.n_heads, config.head_dim),
      .values = head_of((*pass)->values(layer, 0), head, config.n_heads, config.head_dim),
      .codewords = {codebook.begin() + codewords, codebook.begin() + codewords + config.n_code * config.head_dim}};
}

}  // namespace

std::vector<ParameterSpec> model_token_parameters() {
  return {whole_number("model_layer", "Layer of the model, counted from 0.", 0, 0, 63),
          whole_number("model_head", "Head of the layer, counted from 0.", 0, 0, 255),
          whole_number("model_steps", "Number of training steps of the model.", 600, 1, 20000)};
}

Result<std::shared_ptr<const VqTokens>> model_tokens(const ParameterValues& values, Index n_code, Index length,
                                                     bool numbers, const Work& work) {
  const TransformerConfig config = config_of(study_of(values, n_code));
  if (auto checked = check_sizes(config, values, length); !checked) return checked.error();
  if (!numbers)
    return std::make_shared<const VqTokens>(
        VqTokens{.length = length, .d_k = config.head_dim, .d_v = config.head_dim, .n_code = config.n_code});
  ParameterValues key;
  for (const char* name : {"seed", "model_layer", "model_head", "model_steps"}) key.set(name, values.integer(name));
  key.set("n_code", n_code);
  key.set("length", length);
  static SharedComputation<ParameterValues, VqTokens> known(1);
  return known.get(key, work,
                   [values, n_code, length](const Work& shared) { return tokens_of(values, n_code, length, shared); });
}

}  // namespace vqscope
