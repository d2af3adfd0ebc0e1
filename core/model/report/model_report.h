// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/method/method.h"
#include "core/method/run_result.h"
#include "core/model/pass/batch.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/tensors/named_tensors.h"
#include "core/model/train/optimiser.h"

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

/// A model's logits, losses and gradients, or its parameters after some steps of AdamW, for a
/// config, weights and inputs in files, for comparison with another framework.
Method model_gradients_method();

/// Inputs of model runs, read from files. Errors begin with the file's path.

Result<ConfigValue> read_config_file(const RunFile& file);
Result<NamedTensors> open_tensors(const RunFile& file);

/// `precision`: float64 or float32.
ParameterSpec precision_parameter(const std::string& default_value);

/// The number of threads to use, of worker_threads_parameter().
int worker_threads(const ParameterValues& values);

/// A batch from a file: the tensors in.tokens, in.labels, ... [rows, length] of whole numbers.
struct BatchFile {
  Index rows = 0;
  Index length = 0;
  std::vector<std::int32_t> tokens, labels, position_ids, doc_ids, pad_mask;

  Batch batch() const { return {rows, length, tokens, labels, position_ids, doc_ids, pad_mask}; }
};

/// `suffix` is appended to the names of tokens and labels. Errors name the tensor that is missing
/// or does not have the shape of the tokens.
Result<BatchFile> read_batch(const NamedTensors& file, const std::string& suffix = {});

struct LayerReportShape {
  const TransformerConfig& config;
  Index rows = 0;
  Index length = 0;
  Index reported = 0;  ///< rows whose attention weights are reported
};

/// Appends the results of a layer in the last run of a pass that kept everything. Without segments:
/// attn.layerN [reported, heads, length, length]; else attn.layerN.segmentS [reported, heads,
/// queries, keys] with the memory's keys before the segment's. VQ: codes.layerN [rows, heads,
/// length] int32. Memorizing, for each segment with a memory: knn_index.layerN.segmentS [rows,
/// heads, queries, top_k] int32, indices into the memory, and knn_attn.layerN.segmentS [reported,
/// ...], filled up with -1 and 0 if the memory has fewer than top_k keys. Infini-attention:
/// memory.layerN [rows, kv heads, head_dim, value_dim] and memory_z.layerN [rows, kv heads,
/// head_dim] after the last segment.
template <class Real>
void append_layer(const LayerReportShape& shape, const TransformerPass<Real>& pass, Index layer,
                  std::vector<NamedTensor>& out);

struct OptimiserOptions {
  AdamWOptions adamw;
  LearningRate rate;
};

/// From a JSON object of lr_max, lr_min_ratio, warmup_steps, total_steps, beta1, beta2, eps,
/// weight_decay and clip; missing keys have their default. A decay_rule is a remark. Errors name
/// the key.
Result<OptimiserOptions> read_optimiser(const ConfigValue& json);

}  // namespace vqscope
