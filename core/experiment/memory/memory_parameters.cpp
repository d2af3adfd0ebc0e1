// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"

#include "core/experiment/setting/vq_parameters.h"
#include "core/method/shared/common_parameters.h"

namespace vqscope {
namespace {

ParameterSpec memory_count(const char* name, const char* group, const char* help, Index default_value, double minimum,
                           double maximum) {
  return make_parameter(name, group, help,
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = true});
}

/// Queries, keys and values, as in the VQ experiments.
std::vector<ParameterSpec> own_tensors() {
  auto specs = token_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "codebook_tensor"; });
  return specs;
}

}  // namespace

std::vector<ParameterSpec> memory_parameters() {
  std::vector<ParameterSpec> specs{
      memory_count("q_length", "Sequence", "Number of tokens T; each has one query and one key.", 1024, 1, 131072),
      memory_count("segment_len", "Sequence", "Number of tokens in a segment. Local attention stays within a segment.",
                   128, 1, 131072),
      make_parameter(
          "data", "Data", "Queries, keys and values of the tokens.",
          {.default_value = std::string("planted"),
           .choices = {{"planted", "synthetic: normal numbers; each query is similar to one key of an earlier segment"},
                       {"tensors", "your own tensors of one head, from .npy, .npz or .safetensors files"}}})};
  for (auto& spec : own_tensors()) specs.push_back(std::move(spec));
  specs.push_back(memory_count("d_k", "Data", "Number of dimensions of queries and keys.", 64, 2, 512));
  specs.push_back(memory_count("d_v", "Data", "Number of dimensions of values.", 64, 1, 4096));
  specs.push_back(
      make_parameter("match_cosine", "Data",
                     "Cosine between a query and the key planted for it, before normalisation. 0: independent.",
                     {.label = "Match cosine", .default_value = 0.8, .minimum = 0, .maximum = 1}));
  for (const char* name : {"d_k", "d_v", "match_cosine"}) spec_of(specs, name).relevant = {{"data", {"planted"}}};
  specs.push_back(seed_parameter("Data", "Random seed of the synthetic data."));
  specs.push_back(normalize_parameter("paper"));
  specs.back().group = "Data";
  spec_of(specs, "q_length").role = ParameterRole::shape;
  for (const char* name : {"q_length", "segment_len"}) spec_of(specs, name).unit = "tokens";
  return specs;
}

ParameterSpec words_parameter() {
  return {.name = "words",
          .label = "Words of the tokens",
          .group = "Data",
          .help =
              "The tokens' text in order, separated by spaces; shown with retrieved positions. Empty: positions "
              "only.",
          .kind = ParameterKind::text,
          .default_value = std::string(),
          .in_summary = InSummary::never};
}

}  // namespace vqscope
