// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/t5/t5_bias.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/method/shown_part.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<double> drawn_values(const ParameterValues& values) {
  SeededRandom random(static_cast<std::uint64_t>(values.integer("seed")));
  const auto heads = static_cast<std::uint64_t>(values.integer("num_heads"));
  std::vector<double> column;
  random.skip(2 * static_cast<std::uint64_t>(values.integer("head")));  // a number of each head, bucket by bucket
  for (Index bucket = 0; bucket < values.integer("num_buckets"); ++bucket) {
    column.push_back(random.normal());
    random.skip(2 * (heads - 1));
  }
  return column;
}

/// The value of each bucket for the head.
Result<std::vector<double>> bucket_values(const ParameterValues& values) {
  const auto& given = values.reals("bias_values");
  if (given.empty()) return drawn_values(values);
  const Index buckets = values.integer("num_buckets");
  const Index heads = values.integer("num_heads");
  const auto count = static_cast<Index>(given.size());
  if (count == buckets) return given;
  if (count != buckets * heads)
    return invalid(
        "bias_values has {} numbers, must have num_buckets = {} for one head or num_buckets · num_heads = {} for all",
        count, buckets, buckets * heads);
  std::vector<double> column;
  for (Index b = 0; b < buckets; ++b)
    column.push_back(given[static_cast<std::size_t>(b * heads + values.integer("head"))]);
  return column;
}

Result<RelativeFunction> t5_bias_function(const ParameterValues& values) {
  const auto table = bucket_values(values);
  if (!table) return table.error();
  const StepFunction steps = t5_buckets_from(values).steps();
  RelativeFunction f;
  for (std::size_t s = 0; s < steps.value.size(); ++s)
    f.pieces.push_back(
        constant_from(s == 0 ? before_all : steps.start[s], (*table)[static_cast<std::size_t>(steps.value[s])]));
  return f;
}

Result<void> check_t5_bias(const ParameterValues& values) {
  if (auto checked = t5_buckets_from(values).check(); !checked) return checked;
  if (auto checked = check_head(values); !checked) return checked;
  if (const auto table = bucket_values(values); !table) return table.error();
  return {};
}

std::string why_t5_bias(const ParameterValues& values, Index relative) {
  const Index bucket = t5_buckets_from(values).bucket(relative);
  const bool drawn = values.reals("bias_values").empty();
  return fmt::format("{}: bucket {}, whose value for head {} {}", place_text(relative), bucket, values.integer("head"),
                     drawn ? "was sampled from seed" : "was given");
}

std::vector<ParameterSpec> t5_bias_parameters() {
  const std::string group = "T5 bias";
  auto specs = t5_bucket_parameters();
  for (auto& spec : head_parameters(group)) specs.push_back(std::move(spec));
  specs.push_back({.name = "bias_values",
                   .group = group,
                   .help = "Bias value of each bucket, or of each bucket and head (bucket-major).",
                   .kind = ParameterKind::real_list,
                   .fallback = std::vector<double>(),
                   .minimum = -1e6,
                   .maximum = 1e6,
                   .automatic = "sampled from seed"});
  specs.push_back({.name = "seed",
                   .group = group,
                   .help = "Random seed of the synthetic bias values, which are standard normal.",
                   .fallback = Index{0},
                   .minimum = 0,
                   .maximum = 9007199254740992.0});
  return specs;
}

std::string untrained_t5_bias(const ParameterValues& values) {
  return values.reals("bias_values").empty() ? untrained_values(values.integer("seed")) : std::string();
}

}  // namespace

Method t5_bias_method() {
  return relative_method(
      {.id = "t5_bias",
       .title = "T5 bias",
       .category = "biases",
       .help = "The learned value that T5 adds to the score, by bucket and head.",
       .citation = {"Raffel et al. 2020, Exploring the Limits of Transfer Learning, section 2.1",
                    "Hugging Face transformers, T5Attention.compute_bias"},
       .traits = EncodingTraits{.relative = true,
                                .trainable = true,
                                .each_layer = true,
                                .extrapolation =
                                    "Up to 2–3× the training length, worse beyond (Press et al. 2022, table 2)."},
       .bias = BiasTraits{},
       .parameters = t5_bias_parameters(),
       .check = check_t5_bias,
       .value_name = "bias",
       .companions = {"t5_staircase", "bias_prior"},
       .untrained = untrained_t5_bias,
       .function = t5_bias_function,
       .why = why_t5_bias});
}

}  // namespace vqscope
