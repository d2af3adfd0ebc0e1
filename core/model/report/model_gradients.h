// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/tensors/named_tensors.h"

#include <optional>
#include <stop_token>

namespace vqscope {

/// Reference for comparison with another framework: a model with given config and weights, run
/// forward and backward over one batch, or trained for some steps.
struct ModelGradientsInput {
  ConfigValue config;    ///< the keys of TransformerConfig; "optimizer" trains
  NamedTensors weights;  ///< parameters by name, or name@d0xd1 if a file has several shapes of one
  NamedTensors inputs;   ///< in.tokens, in.labels, in.position_ids, in.doc_ids, in.pad_mask [rows, length]; the first
                         ///< is required. To train: in.tokens.step1, in.labels.step1, in.tokens.step2, ...
  bool float32 = false;  ///< else float64
  int threads = 1;
  double memory = 0;             ///< limit in bytes for the whole run; 0: no limit
  std::string config_path = {};  ///< errors of the config begin with it
};

/// One step of the optimiser.
struct ModelStep {
  double learning_rate = 0;
  double loss = 0;
  double gradient_norm = 0;
  double clip_coefficient = 1;
};

struct ModelGradients {
  /// Run once: logits [rows, length, vocab]; loss, ce_loss, commit_loss [1]; grad.<parameter>; the
  /// tensors of append_layer() for each layer, with weights of the first row, or of all rows with
  /// documents or padding; after.<codebook>. Trained: after.<parameter>. Reals are float64.
  std::vector<NamedTensor> tensors;
  std::vector<std::string> parameters;  ///< names, in the model's order
  Index count = 0;                      ///< numbers in all parameters
  std::optional<Losses> losses;         ///< run once
  std::vector<ModelStep> steps;         ///< trained
};

/// Errors name what is missing, unknown or does not match: a key of the config, a tensor of the
/// weights or of the inputs. Refuses runs that need more memory than there is before allocating,
/// and losses that are not finite.
Result<ModelGradients> model_gradients(const ModelGradientsInput& input, const std::stop_token& stop = {});

}  // namespace vqscope
