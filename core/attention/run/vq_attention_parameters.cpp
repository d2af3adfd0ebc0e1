// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/keys.h"
#include "core/encoding/own/own_rotation.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/qkv/tensor_lengths.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <array>
#include <thread>

namespace vqscope {
namespace {

template <class T>
using Named = std::array<std::pair<std::string_view, T>, 4>;

constexpr std::array<std::pair<std::string_view, AttentionForm>, 3> forms{{{"linear", AttentionForm::vq_linear},
                                                                           {"quadratic", AttentionForm::vq_quadratic},
                                                                           {"exact", AttentionForm::exact}}};
constexpr std::array<std::pair<std::string_view, WeightFunction>, 3> weight_functions{
    {{"softmax", WeightFunction::softmax},
     {"exponential", WeightFunction::exponential},
     {"squared_relu", WeightFunction::squared_relu}}};
constexpr Named<CacheReduction> reductions{{{"serial_scan", CacheReduction::serial_scan},
                                            {"matmul", CacheReduction::matmul},
                                            {"associative_scan", CacheReduction::associative_scan},
                                            {"input_scan", CacheReduction::input_scan}}};
constexpr Named<HeadType> head_types{
    {{"any", HeadType::any}, {"shga", HeadType::shga}, {"mqa", HeadType::mqa}, {"mha", HeadType::mha}}};

template <class Names>
auto meaning(const Names& names, std::string_view id) {
  return std::ranges::find(names, id, [](const auto& pair) { return pair.first; })->second;
}

int threads_of(Index wanted) {
  return wanted > 0 ? static_cast<int>(wanted) : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

std::vector<ParameterSpec> vq_attention_parameters() {
  const char* group = "VQ attention";
  const std::vector<Relevance> vq{{"form", {"linear", "quadratic"}}};
  const std::vector<Relevance> linear{{"form", {"linear"}}};
  std::vector<ParameterSpec> specs{
      make_parameter("form", group, "How attention is computed.",
                     {.default_value = std::string("linear"),
                      .choices = {{"linear", "VQ attention in time linear in T (theorem 3.7)"},
                                  {"quadratic", "VQ attention by its definition (3.1)"},
                                  {"exact", "softmax attention with the original keys"}}}),
      make_parameter(
          "n_code", group, "Codebook size. If you supply a codebook, its size is used.",
          {.default_value = Index{512}, .minimum = 1, .maximum = 1048576, .logarithmic = true, .relevant = vq}),
      make_parameter(
          "block_len", group,
          "Number of tokens in a block of the linear form; does not change its result. Also the distance at which "
          "transformer_xl ends and biases are clipped, and the block size of agg_cache.",
          {.default_value = Index{512}, .minimum = 1, .maximum = 1048576, .logarithmic = true}),
      make_parameter("reduction", group,
                     "Reduction by which the linear form computes the cache of each block. Does not change the result.",
                     {.default_value = std::string("serial_scan"),
                      .choices = {{"serial_scan", "one block after the other"},
                                  {"matmul", "each block from all before it"},
                                  {"associative_scan", "blocks merged pair by pair"},
                                  {"input_scan", "everything computed one block at a time"}},
                      .relevant = linear}),
      make_parameter("head_type", group, "Required head type; other shapes are refused.",
                     {.default_value = std::string("any"),
                      .choices = {{"any", "number of query heads is a multiple of key heads"},
                                  {"shga", "one gated head"},
                                  {"mqa", "one key/value head"},
                                  {"mha", "as many key/value heads as query heads"}}}),
      make_parameter("causal", group, "Whether attention is causal: a query sees only keys up to its own.",
                     {.default_value = true}),
      make_parameter(
          "agg_cache", group,
          "Whether queries see keys older than the previous block through the cache. False: they are not visible.",
          {.default_value = true, .relevant = vq}),
      make_parameter("weights", group, "How scores become weights.",
                     {.default_value = std::string("softmax"),
                      .choices = {{"softmax", "e^score divided by the sum over the keys (theorem 3.7)"},
                                  {"exponential", "e^score, not divided (theorems 3.4 and 3.6)"},
                                  {"squared_relu", "max(score, 0)², not divided (theorems 3.4 and 3.6)"}}}),
      normalize_parameter("none"),
      make_parameter("gamma", group, "Decay per training step of the moving averages of counts and sums.",
                     {.default_value = 0.99, .minimum = 0, .maximum = 0.99999, .relevant = vq}),
      make_parameter("iterations", group,
                     "Number of training steps of the codebook; 0 uses the keys that k-means++ selects.",
                     {.default_value = steps_for_tensors, .minimum = 0, .maximum = 1000000, .relevant = vq}),
      seed_parameter(group, "Random seed for the k-means++ initialisation.", vq),
      make_parameter(
          "num_heads", group,
          "Number of query heads. If q is one matrix, the number of heads of which it is one, for biases that "
          "differ between heads.",
          {.default_value = Index{0},
           .minimum = 0,
           .maximum = 1024,
           .automatic = "the heads of q; 8 if q is one matrix"}),
      make_parameter("num_key_value_heads", group, "Number of key and value heads; several query heads can share one.",
                     {.default_value = Index{0}, .minimum = 0, .maximum = 1024, .automatic = "the heads of k"}),
      make_parameter(
          "head", group,
          "Head of q to compute. If q is one matrix, the head that it is, for biases that differ between heads.",
          {.default_value = Index{-1},
           .minimum = -1,
           .maximum = 1023,
           .automatic = "all heads; head 0 if q is one matrix"}),
      tensor_layout_parameter(group),
      make_parameter(
          "compare", group,
          "Requires the comparison with exact attention, which is left out where it would exceed most_seconds.",
          {.default_value = false}),
      make_parameter("most_seconds", group,
                     "Maximum time of one core; a run that would take longer, by an estimate, is refused.",
                     {.default_value = 10.0, .minimum = 0.001, .maximum = 1e7, .logarithmic = true, .unit = "s"}),
      make_parameter("most_memory", group,
                     "Maximum memory for the tensors and the work; a run that needs more is refused.",
                     {.default_value = 1.0, .minimum = 0.001, .maximum = 65536, .logarithmic = true, .unit = "GiB"}),
      worker_threads_parameter(group),
  };
  for (auto& spec : rotation_parameters("Rotation")) specs.push_back(std::move(spec));
  specs.push_back(rotation_order_parameter("Rotation"));
  for (auto& spec : bias_parameters())
    if (!find_spec(specs, spec.name)) specs.push_back(std::move(spec));
  for (auto& spec : specs)
    if (spec.group.empty()) spec.group = group;
  return specs;
}

WeightFunction weight_function_of(std::string_view id) { return meaning(weight_functions, id); }
CacheReduction reduction_of(std::string_view id) { return meaning(reductions, id); }
HeadType head_type_of(std::string_view id) { return meaning(head_types, id); }

AttentionOptions vq_attention_options(const ParameterValues& values) {
  return {.form = meaning(forms, values.choice("form")),
          .weights = weight_function_of(values.choice("weights")),
          .causal = values.boolean("causal"),
          .head_type = head_type_of(values.choice("head_type")),
          .block_len = values.integer("block_len"),
          .reduction = reduction_of(values.choice("reduction")),
          .agg_cache = values.boolean("agg_cache"),
          .threads = threads_of(values.integer("threads"))};
}

}  // namespace vqscope
