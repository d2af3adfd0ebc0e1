// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/vq_variants.h"

#include "core/model/position/relative_bias.h"

#include <algorithm>

namespace vqscope {
namespace {

using Model = ExtrapolationVariant;

void quantise_keys(const ParameterValues& values, TransformerConfig& config) {
  config.attn = AttentionKind::vq;
  config.n_code = values.integer("model_n_code");
  config.block_len = values.integer("model_block_len");
}

Model with_own_table() {
  return {.id = "vq",
          .name = "VQ with a table",
          .help = "VQ attention with a learnt bias for each distance within a block",
          .training = "vq",
          .train = [](const ParameterValues& values, TransformerConfig& config) {
            config.pos = PositionKind::vq;
            quantise_keys(values, config);
          }};
}

/// VQ attention with the positions of a model with full attention.
Model quantised(Model full) {
  full.id = "vq_" + full.id;
  full.training = "vq_" + full.training;
  full.name = "VQ with " + full.name;
  full.help = "VQ attention with " + full.help + "; distances above a block count as one";
  full.train = [train = full.train](const ParameterValues& values, TransformerConfig& config) {
    train(values, config);
    quantise_keys(values, config);
  };
  return full;
}

Model with_xl(Model full) {
  full.id = full.training = "xl";
  full.name = "XL";
  full = quantised(std::move(full));
  full.help = "VQ attention with Transformer-XL's relative positions, as in its paper";
  return full;
}

/// The ids of `full` whose positions VQ attention takes.
std::vector<std::string> position_ids() {
  std::vector<std::string> ids{"rope", "rope_linear", "rope_ntk", "rope_yarn", "xpos"};
  for (const Choice& bias : relative_bias_choices()) ids.push_back(bias.id);
  for (const char* id : {"t5_bias", "fire", "nope"}) ids.emplace_back(id);
  return ids;
}

/// Only those of VQ's own table are in the list of models, where they are from earlier versions.
Model without_cache(Model model, bool trained_with_it) {
  model.listed = model.id == "vq";
  model.model = model.id;
  model.cache = trained_with_it ? "test_without" : "without";
  model.id += trained_with_it ? "_test_without_cache" : "_without_cache";
  model.name += trained_with_it ? ", tested without cache" : ", without cache";
  model.help += trained_with_it ? "; trained with the cache, tested without" : "; without the cache";
  if (trained_with_it) {
    model.test = [test = model.test](const ParameterValues& values, double multiple, TransformerConfig& config) {
      if (test) test(values, multiple, config);
      config.cache = false;
    };
    return model;
  }
  model.training += "_without_cache";
  model.train = [train = model.train](const ParameterValues& values, TransformerConfig& config) {
    train(values, config);
    config.cache = false;
  };
  return model;
}

}  // namespace

ParameterSpec vq_cache_parameter(const std::vector<std::string>& vq_models) {
  return make_parameter("vq_cache", "Models", "Whether models of VQ attention have their compressive cache.",
                        {.label = "Cache of VQ models",
                         .default_value = std::vector<std::string>{"with"},
                         .choices = {{"with", "trained and tested with the cache"},
                                     {"test_without", "trained with the cache, tested without it"},
                                     {"without", "trained and tested without the cache"}},
                         .relevant = {{"models", vq_models}}});
}

std::vector<ExtrapolationVariant> vq_variants(const std::vector<ExtrapolationVariant>& full) {
  const auto named = [&](const std::string& id) { return *std::ranges::find(full, id, &Model::id); };
  std::vector<Model> models{with_xl(named("transformer_xl")), with_own_table()};
  for (const std::string& id : position_ids()) models.push_back(quantised(named(id)));
  std::vector<Model> all;
  for (const Model& model : models) {
    all.push_back(model);
    all.push_back(without_cache(model, true));
    all.push_back(without_cache(model, false));
  }
  return all;
}

}  // namespace vqscope
