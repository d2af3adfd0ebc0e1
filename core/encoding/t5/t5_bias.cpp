// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"

namespace vqscope {
namespace {

/// The table of a checkpoint: [num_buckets, num_heads] or, of one head, [num_buckets].
Result<TensorMatrix> read_table(const ParameterValues& values) {
  auto table = read_tensor_matrix("bias_tensor", values.text("bias_tensor"));
  if (!table) return table;
  const Index buckets = values.integer("num_buckets"), heads = values.integer("num_heads");
  if (table->rows != buckets)
    return invalid("{} but must have num_buckets = {} rows: set num_buckets to {}", table->title, buckets, table->rows);
  if (table->cols != heads && table->cols != 1)
    return invalid("{} but must have num_heads = {} columns: set num_heads to {}", table->title, heads, table->cols);
  return table;
}

std::vector<double> column_of(const TensorMatrix& table, Index head) {
  std::vector<double> column;
  for (Index bucket = 0; bucket < table.rows; ++bucket)
    column.push_back(static_cast<double>(table.row(bucket)[static_cast<std::size_t>(table.cols == 1 ? 0 : head)]));
  return column;
}

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

/// The value of each bucket for the head, from the lists and the seed.
Result<std::vector<double>> listed_values(const ParameterValues& values) {
  const auto& given = values.reals("bias_values");
  if (given.empty()) return drawn_values(values);
  const Index buckets = values.integer("num_buckets");
  const Index heads = values.integer("num_heads");
  const auto count = static_cast<Index>(given.size());
  if (count == buckets) return given;
  if (count != buckets * heads)
    return invalid(
        "bias_values has {} numbers but must have num_buckets = {} for one head or num_buckets · num_heads = {} for "
        "all",
        count, buckets, buckets * heads);
  std::vector<double> column;
  for (Index b = 0; b < buckets; ++b)
    column.push_back(given[static_cast<std::size_t>(b * heads + values.integer("head"))]);
  return column;
}

Result<std::vector<double>> bucket_values(const ParameterValues& values) {
  if (values.text("bias_tensor").empty()) return listed_values(values);
  const auto table = read_table(values);
  if (!table) return table.error();
  return column_of(*table, values.integer("head"));
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
  // A file is read when the bias is made.
  if (const auto table = listed_values(values); !table) return table.error();
  if (!values.text("bias_tensor").empty() && !values.reals("bias_values").empty())
    return invalid("bias_tensor and bias_values are both given but must be one of them");
  return {};
}

std::string why_t5_bias(const ParameterValues& values, Index relative) {
  const Index bucket = t5_buckets_from(values).bucket(relative);
  const bool drawn = values.reals("bias_values").empty() && values.text("bias_tensor").empty();
  return fmt::format("{}: bucket {}, whose value for head {} {}", place_text(relative), bucket, values.integer("head"),
                     drawn ? "was sampled from seed" : "was given");
}

std::string untrained_t5_bias(const ParameterValues& values) {
  const bool given = !values.reals("bias_values").empty() || !values.text("bias_tensor").empty();
  return given ? std::string() : untrained_values(values.integer("seed"));
}

}  // namespace

Result<std::vector<std::vector<double>>> t5_bias_table(const ParameterValues& values) {
  const bool is_read = !values.text("bias_tensor").empty();
  const auto table = is_read ? read_table(values) : Result<TensorMatrix>(TensorMatrix{});
  if (!table) return table.error();
  std::vector<std::vector<double>> heads;
  ParameterValues of_head = values;
  for (Index head = 0; head < values.integer("num_heads"); ++head) {
    of_head.set("head", head);
    const auto column = is_read ? Result<std::vector<double>>(column_of(*table, head)) : listed_values(of_head);
    if (!column) return column.error();
    heads.push_back(*column);
  }
  return heads;
}

std::vector<ParameterSpec> t5_bias_own_parameters() {
  const std::string group = "T5 bias";
  auto specs = t5_bucket_parameters();
  for (auto& spec : head_parameters(group)) specs.push_back(std::move(spec));
  add_parameter(
      specs, "bias_values", group, "Bias value of each bucket, or of each bucket and head (bucket-major).",
      {.default_value = std::vector<double>(), .minimum = -1e6, .maximum = 1e6, .automatic = "sampled from seed"});
  add_parameter(
      specs, "bias_tensor", group, "Table of a checkpoint, [num_buckets, num_heads]: relative_attention_bias.weight.",
      {.label = "Bias table", .kind = ParameterKind::tensor, .default_value = std::string(), .most_items = 4096});
  specs.push_back(seed_parameter(group, "Random seed of the synthetic bias values, which are standard normal."));
  return specs;
}

Method t5_bias_method() {
  return relative_method(
      {.id = "t5_bias",
       .title = "T5 bias",
       .category = "biases",
       .help = "The learned value that T5 adds to the score, by bucket and head.",
       .citation = {"Raffel et al. 2020, Exploring the Limits of Transfer Learning, section 2.1",
                    "Hugging Face transformers, T5Attention.compute_bias"},
       .traits =
           EncodingTraits{
               .relative = true,
               .trainable = true,
               .extrapolation = "Up to 2–3× the training length, worse beyond (Press et al. 2022, table 2).",
               .note = {.trade_off = "num_buckets learned values per head, in T5 one table shared by all layers. Any "
                                     "shape near the query; all keys beyond max_distance have the same bias.",
                        .curve = "T5 bias (Press et al.)"}},
       .bias = BiasTraits{},
       .parameters = t5_bias_own_parameters(),
       .check = check_t5_bias,
       .value_name = "bias",
       .related = {"t5_staircase", "bias_prior"},
       .untrained = untrained_t5_bias,
       .function = t5_bias_function,
       .why = why_t5_bias});
}

}  // namespace vqscope
