// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/model/config/transformer_config.h"
#include "core/model/train/trainer.h"

namespace vqscope {

/// `layer`: ordinary layers or gated units.
ParameterSpec layer_parameter(const char* group);
/// `layer`, `d_k`, `d_v`, `d_model`, `n_layers`, `n_heads`, `d_ff`: the sizes of a model that is trained here.
std::vector<ParameterSpec> model_size_parameters();
/// `pos`, `attn` and their parameters.
std::vector<ParameterSpec> model_kind_parameters();
/// `steps`, `batch_rows`, `length`, `lr_max` and the other parameters of training.
std::vector<ParameterSpec> optimiser_parameters();

/// A config of those sizes, without a kind and not checked yet.
TransformerConfig sized_config(const ParameterValues& values, Index vocabulary);
/// A checked config of sizes and kind.
Result<TransformerConfig> model_config(const ParameterValues& values, Index vocabulary);
TrainerOptions trainer_options(const ParameterValues& values);

/// `optimiser`, `dropout` and `layerdrop`, and the options they give.
std::vector<ParameterSpec> regularisation_parameters();
void apply_regularisation(const ParameterValues& values, TrainerOptions& options);

}  // namespace vqscope
