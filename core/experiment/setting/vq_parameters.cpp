// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_parameters.h"

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/keys.h"
#include "core/attention/codebook/rotation_order.h"
#include "core/encoding/own/own_rotation.h"
#include "core/experiment/setting/vq_tokens.h"
#include "core/experiment/study/model_tokens.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

ParameterSpec count(const char* name, const char* group, const char* help, Index default_value, double minimum,
                    double maximum) {
  return make_parameter(name, group, help,
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = true});
}

std::vector<ParameterSpec> size_parameters() {
  const char* group = "VQ attention";
  std::vector<ParameterSpec> specs{
      count("q_length", "Sequence", "Number of tokens T; each has one query and one key.", 512, 1, 131072),
      count("n_code", group, "Codebook size S: the number of codewords that replace keys.", 64, 1, 4096),
      count("block_len", group, "Number of tokens in a block: L.", 128, 1, 65536),
      count("d_k", group, "Number of dimensions of queries and keys.", 64, 2, 512),
      count("d_v", group, "Number of dimensions of values.", 64, 1, 4096),
      normalize_parameter("paper")};
  specs.back().group = group;
  specs[0].label = specs[0].short_label = "T";
  specs[0].role = ParameterRole::shape;
  specs[0].unit = specs[2].unit = "tokens";
  return specs;
}

std::vector<ParameterSpec> data_parameters() {
  const char* group = "Data";
  std::vector<ParameterSpec> specs{
      make_parameter(
          "data", group,
          "Distribution of the keys, which determines how well a codebook fits. Queries and values are always "
          "independent.",
          {.default_value = std::string("clustered"),
           .choices = {{"clustered", "clustered around centres, which a codebook can compress"},
                       {"independent", "independent normal values: the loss falls only like n_code^(-2/d_k)"},
                       {"tensors", "one head of your own tensors, from files"},
                       {"model", "one head of a small VQ model, trained now on a synthetic language"}}}),
      count("clusters", group, "Number of cluster centres of the keys, sampled from a standard normal distribution.",
            64, 1, 4096),
      make_parameter("spread", group,
                     "Standard deviation of keys around their centre; centres have standard deviation 1.",
                     {.default_value = 0.3, .minimum = 0, .maximum = 10}),
      seed_parameter(group, "Random seed of the synthetic data.")};
  specs[1].relevant = specs[2].relevant = {{"data", {"clustered"}}};
  auto tokens = token_parameters();
  for (auto& spec : model_token_parameters()) tokens.push_back(std::move(spec));
  specs.insert(specs.begin() + 1, tokens.begin(), tokens.end());
  return specs;
}

std::vector<ParameterSpec> codebook_parameters() {
  const char* group = "Codebook";
  std::vector<ParameterSpec> specs{
      count("train_keys", group,
            "Number of keys that the codebook is trained on; they differ from the evaluation "
            "keys if there are enough. Too few keys for many codewords cause overfitting.",
            2048, 1, 131072),
      count("steps", group, "Number of training steps, with 512 keys each; of your own tensors, 2048.", 50, 0, 10000),
      make_parameter("gamma", group, "Decay per step of the moving averages of counts and sums.",
                     {.label = "γ", .default_value = 0.99, .minimum = 0, .maximum = 0.9999})};
  specs[1].logarithmic = false;  // can be 0
  return specs;
}

/// The head of tensors is that of a bias which differs between heads, too.
void widen_relevance(ParameterSpec& known, const ParameterSpec& other) {
  if (known.relevant.size() != 1 || other.relevant.size() != 1) return;
  Relevance& relevance = known.relevant[0];
  const Relevance& more = other.relevant[0];
  relevance.values.insert(relevance.values.end(), more.values.begin(), more.values.end());
  relevance.also = more.name;
}

/// Hides parameters that tensors or models determine. `codebook`: a model's own codebook is used
/// too.
void hide_where_given(std::vector<ParameterSpec>& specs, bool codebook) {
  const std::vector<std::string> drawn{"clustered", "independent"};
  for (const char* name : {"d_k", "d_v"}) spec_of(specs, name).relevant = {{"data", drawn}};
  for (const char* name : {"train_keys", "steps", "gamma"})
    if (codebook) spec_of(specs, name).relevant = {{"data", {"clustered", "independent", "tensors"}}};
  spec_of(specs, "normalize").relevant = {{"data", {"clustered", "independent", "tensors"}}};
  for (const char* name : {"n_code", "train_keys", "steps", "gamma"})
    spec_of(specs, name).relevant.push_back({"codebook_tensor", {"", "clustered", "independent", "model"}, "data"});
}

}  // namespace

std::vector<ParameterSpec> vq_parameters(std::initializer_list<std::string_view> without) {
  std::vector<ParameterSpec> specs = size_parameters();
  for (auto& spec : data_parameters()) specs.push_back(std::move(spec));
  for (auto& spec : codebook_parameters()) specs.push_back(std::move(spec));
  const auto has = [&](std::string_view name) { return std::ranges::count(without, name) == 0; };
  if (has("k_tensor") && !has("q_tensor")) specs.push_back(query_heads_parameter());
  if (has("k_tensor") && has("rotation")) {
    const std::vector<Relevance> rotated{{"data", {"clustered", "independent", "tensors"}}};
    for (auto& spec : rotation_parameters("Rotation", rotated)) specs.push_back(std::move(spec));
    specs.push_back(rotation_order_parameter("Rotation", rotated));
  }
  hide_where_given(specs, std::ranges::count(without, "codebook_tensor") == 0);
  if (std::ranges::count(without, "k_tensor") > 0) {
    std::erase_if(spec_of(specs, "data").choices,
                  [](const Choice& choice) { return choice.id == "tensors" || choice.id == "model"; });
    std::erase_if(specs, [](const ParameterSpec& spec) {
      return spec.kind == ParameterKind::tensor || spec.name.starts_with("model_") || spec.name == "head" ||
             spec.name == "tensor_layout";
    });
  }
  std::erase_if(specs, [&](const ParameterSpec& spec) { return std::ranges::count(without, spec.name) > 0; });
  for (auto& spec : specs)
    std::erase_if(spec.relevant, [&](const Relevance& relevance) { return !find_spec(specs, relevance.name); });
  return specs;
}

ParameterSpec& spec_of(std::vector<ParameterSpec>& specs, std::string_view name) {
  const auto it = std::ranges::find(specs, name, &ParameterSpec::name);
  assert(it != specs.end());
  return *it;
}

std::vector<ParameterSpec> biased_vq_parameters(std::initializer_list<std::string_view> without) {
  auto specs = vq_parameters(without);
  for (auto& spec : bias_parameters()) {
    const auto known = std::ranges::find(specs, spec.name, &ParameterSpec::name);
    if (known == specs.end())
      specs.push_back(std::move(spec));
    else
      widen_relevance(*known, spec);
  }
  return specs;
}

ParameterSpec n_code_max_parameter() {
  return count("n_code_max", "VQ attention", "Largest codebook size; smaller ones have 1, 2, 4, … codewords.", 256, 1,
               4096);
}

ParameterSpec length_max_parameter() {
  auto spec =
      count("length_max", "Sequence", "Length of the longest sequence; the others are powers of two.", 4096, 1, 131072);
  spec.role = ParameterRole::shape;
  spec.unit = "tokens";
  return spec;
}

Citation vq_citation(const std::string& place) {
  return {"Lingle 2023, Transformer-VQ, " + place, "transformer-vq/transformer_vq, nn/vq.py and nn/attn.py"};
}

}  // namespace vqscope
