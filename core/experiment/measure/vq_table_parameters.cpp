// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/vq_table_parameters.h"

#include "core/attention/run/vq_attention_parameters.h"
#include "core/base/sentence.h"
#include "core/experiment/setting/vq_parameters.h"

namespace vqscope {
namespace {

constexpr double most_token_bytes = 1.0 * 1024 * 1024 * 1024;

std::vector<ParameterSpec> what_is_compared() {
  return {make_parameter("head_types", "Table",
                         "Head types, each a row of the paper's table. The total output width is the same for all.",
                         {.default_value = std::vector<std::string>{"shga", "mqa", "mha"},
                          .choices = {{"shga", "one gated head"},
                                      {"mqa", "num_heads query heads, one key/value head"},
                                      {"mha", "num_heads query, key and value heads"}}}),
          make_parameter("reductions", "Table",
                         "Reductions that compute the cache of each block; each is a table of the paper.",
                         {.default_value = std::vector<std::string>{"serial_scan"},
                          .choices = {{"serial_scan", "one block after the other, table 6"},
                                      {"matmul", "by a matrix product, table 7"},
                                      {"associative_scan", "merged pair by pair, table 8"},
                                      {"input_scan", "everything computed one block at a time, table 9"}}}),
          make_parameter("quantity", "Table", "Quantity to plot.",
                         {.default_value = std::string("speed_up"),
                          .choices = {{"speed_up", "time of full attention / time of VQ attention"},
                                      {"tokens_per_second", "tokens per second of full and of VQ attention"}}})};
}

/// Sizes of the paper's models, except for a smaller d_v to measure faster.
std::vector<ParameterSpec> sizes() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : vq_parameters({"k_tensor"}))
    for (const auto& [name, default_value] : {std::pair{"n_code", 512}, {"block_len", 512}, {"d_k", 128}, {"d_v", 512}})
      if (spec.name == name) {
        spec.default_value = Index{default_value};
        spec.relevant.clear();
        specs.push_back(std::move(spec));
        break;
      }
  auto& d_v = spec_of(specs, "d_v");
  d_v.help = "Total value dimensions over all heads; 1536 and 4096 in the paper's models.";
  d_v.maximum = 4096;
  specs.push_back(make_parameter("num_heads", "VQ attention",
                                 "Number of heads of mqa and mha, each with d_v / num_heads value dimensions.",
                                 {.default_value = Index{4}, .minimum = 1, .maximum = 64}));
  return specs;
}

}  // namespace

std::vector<ParameterSpec> vq_table_parameters() {
  auto specs = what_is_compared();
  specs.push_back(length_max_parameter());
  specs.back().help = "Longest sequence of those in the paper's tables: 2048, 8192, 32768, 131072.";
  specs.back().default_value = Index{8192};
  specs.back().maximum = 131072;
  for (auto& spec : sizes()) specs.push_back(std::move(spec));
  specs.push_back(threads_parameter());
  specs.push_back(repeats_parameter());
  specs.push_back(
      make_parameter("most_seconds", "Machine", "Skips measurements that are expected to take longer than this.",
                     {.default_value = 2.0, .minimum = 0.01, .maximum = 3600, .logarithmic = true, .unit = "s"}));
  for (auto& spec : vq_parameters({"k_tensor"}))
    if (spec.name == "seed") specs.push_back(std::move(spec));
  return specs;
}

Result<void> check_vq_table(const ParameterValues& values) {
  const Index num_heads = values.integer("num_heads");
  const Index d_v = values.integer("d_v");
  if (d_v % num_heads != 0) return invalid("d_v is {}, must be a multiple of num_heads = {}", d_v, num_heads);
  const Index length = values.integer("length_max");
  for (const auto& type : values.choices("head_types")) {
    const double bytes = head_tokens_bytes(table_shape(values, type), length, values.integer("n_code"));
    if (bytes > most_token_bytes)
      return invalid("length_max {} needs {} for queries, keys and values of {}, must be at most {}", length,
                     byte_count(bytes), type, byte_count(most_token_bytes));
  }
  return {};
}

HeadShape table_shape(const ParameterValues& values, const std::string& head_type) {
  return head_shape(head_type_of(head_type), values.integer("num_heads"), values.integer("d_k"), values.integer("d_v"));
}

ThroughputSetting table_setting(const ParameterValues& values) {
  ThroughputSetting setting{.n_code = values.integer("n_code"),
                            .seed = static_cast<std::uint64_t>(values.integer("seed")),
                            .options = {.block_len = values.integer("block_len"),
                                        .threads = static_cast<int>(values.integer("threads")),
                                        .memory_limit = most_token_bytes},
                            .reductions = {},
                            .most_seconds = values.real("most_seconds"),
                            .repeats = values.integer("repeats")};
  for (const auto& id : values.choices("reductions")) setting.reductions.push_back(reduction_of(id));
  return setting;
}

}  // namespace vqscope
