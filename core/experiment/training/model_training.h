// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/corpus/text_score.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "core/method/parameter.h"
#include "core/model/config/transformer_config.h"
#include "core/model/train/trainer.h"

namespace vqscope {

/// Trains the model that the values of train_model, or the file `config`, describe. A stop after
/// the first step keeps what was trained so far if state.safetensors is requested. A loss that is
/// not finite ends the training with the weights before it.
Result<RunResult> run_training(const RunRequest& request, const ParameterValues& values, const Work& work);

enum class LossUnit { nats, bits_per_byte };

/// Loss by step: mean, least and greatest of the last 20 batches; with quantised keys the mean
/// cross entropy too. x extends to step `last`, which training may not have reached yet. A
/// selection if there are more than 2000 steps.
CurveSet training_curves(std::span<const TrainingStep> steps, Index last, std::vector<CurveLevel> levels,
                         LossUnit unit = LossUnit::nats);

/// Number of steps between two points of the curves.
Index curve_stride(Index steps);

/// Reference losses: of a model for which all tokens are equally likely and, for the synthetic
/// language, of one that knows its rules.
std::vector<CurveLevel> loss_levels(const std::string& data, Index vocabulary);
/// The same of a text, in bits per byte: also of a reader of the last `context` bytes who knows its
/// rules, where it has any.
std::vector<CurveLevel> text_levels(const Corpus& corpus, Index context);
/// Facts of a score for the sentence on a training.
void add_score(const Corpus& corpus, const TextScore& score, CurveSet& set);

/// `layer`: ordinary layers or gated units.
ParameterSpec layer_parameter(const char* group);
/// `layer`, `d_k`, `d_v`, `d_model`, `n_layers`, `n_heads`, `d_ff`: the sizes of a model that is
/// trained here.
std::vector<ParameterSpec> model_size_parameters();
/// `pos`, `attn` and their parameters.
std::vector<ParameterSpec> model_kind_parameters();
/// `steps`, `batch_rows`, `length`, `lr_max` and the other parameters of training.
std::vector<ParameterSpec> optimiser_parameters();

/// A config of those sizes, without a kind and not checked yet.
TransformerConfig sized_config(const ParameterValues& values, Index vocabulary);
/// A checked config of sizes and kind.
Result<TransformerConfig> model_config(const ParameterValues& values, Index vocabulary);
/// `bptt_len` of TrainerOptions.
ParameterSpec bptt_parameter();
/// That of VQ attention; 0: none.
Index bptt_len(const ParameterValues& values);
TrainerOptions trainer_options(const ParameterValues& values);

/// `optimiser`, `dropout` and `layerdrop`, and the options they give.
std::vector<ParameterSpec> regularisation_parameters();
void apply_regularisation(const ParameterValues& values, TrainerOptions& options);

}  // namespace vqscope
