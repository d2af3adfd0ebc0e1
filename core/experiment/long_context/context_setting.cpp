// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_setting.h"

#include "core/base/sentence.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/setting/vq_parameters.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr double longest_context = 2097152;
constexpr const char* all_tasks = "all";

ParameterSpec context_count(const char* name, const char* help, Index default_value, double minimum, double maximum) {
  return make_parameter(
      name, "Systems", help,
      {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = minimum > 0});
}

std::vector<ParameterSpec> system_parameters() {
  std::vector<Choice> systems;
  std::vector<std::string> all;
  for (const ContextSystemInfo& info : context_system_infos()) {
    systems.push_back({info.id, info.help});
    all.push_back(info.id);
  }
  return {make_parameter("systems", "Systems", "Systems to compare.",
                         {.default_value = all, .choices = std::move(systems)}),
          context_count("window", "Number of keys of window and of sinks.", 1024, 1, longest_context),
          context_count("sinks", "Number of first keys of sinks.", 4, 0, longest_context),
          context_count("xl_memory_len", "Number of tokens in the memory of transformer_xl and compressive.", 512, 0,
                        longest_context),
          context_count("compressed_len", "Number of compressed keys of compressive.", 512, 1, longest_context),
          context_count("compression_rate", "Number of tokens that become one compressed key.", 4, 1, 65536),
          make_parameter("compression", "Systems", "How compressive makes one key and value of several.",
                         {.default_value = std::string("mean"),
                          .choices = {{"mean", "their mean"}, {"max", "the maximum of each component"}}}),
          context_count("memory_len", "Number of keys in the memory of memorizing.", 8192, 1, longest_context),
          context_count("top_k", "Number of keys that memorizing retrieves.", 32, 1, 65536),
          context_count("n_cluster", "Number of clusters of clustered.", 64, 1, 65536),
          context_count("n_code", "Number of codewords of vq.", 64, 1, 65536),
          context_count("block_len", "Number of tokens in a block of vq.", 128, 1, longest_context),
          context_count("layers", "Number of layers, for the reach.", 12, 1, 512)};
}

std::vector<ParameterSpec> task_parameters() {
  const std::vector<Relevance> planted{{"data", {"planted"}}};
  std::vector<Choice> tasks{{all_tasks, "each of them"}};
  for (const ContextTaskInfo& info : context_task_infos()) tasks.push_back({info.id, info.help});
  std::vector<ParameterSpec> specs;
  add_parameter(specs, "task", "Data", "What a head has to read. The answers are known.",
                {.default_value = std::string(all_tasks), .choices = std::move(tasks), .relevant = planted});
  add_parameter(specs, "fact_distance", "Data", "Largest distance of a far fact from the segment of its query.",
                {.default_value = Index{8192},
                 .minimum = 1,
                 .maximum = longest_context,
                 .logarithmic = true,
                 .unit = "tokens",
                 .relevant = planted});
  add_parameter(specs, "copy_distance", "Data", "Distance of the value that local_copy reads.",
                {.default_value = Index{100},
                 .minimum = 1,
                 .maximum = longest_context,
                 .logarithmic = true,
                 .unit = "tokens",
                 .relevant = planted});
  add_parameter(specs, "clusters", "Data", "Number of topics.",
                {.default_value = Index{8}, .minimum = 1, .maximum = 65536, .relevant = planted});
  add_parameter(specs, "spread", "Data",
                "Standard deviation of keys around the centre of their topic, relative to that of the centres.",
                {.default_value = 0.3, .minimum = 0, .maximum = 100, .relevant = planted});
  add_parameter(specs, "sharpness", "Data", "Factor of all scores.",
                {.default_value = 0.0,
                 .minimum = 0,
                 .maximum = 100,
                 .automatic = "the best of 0.5, 1, 2, 4 and 8",
                 .relevant = planted});
  return specs;
}

std::vector<ContextTask> chosen_tasks(const ParameterValues& values) {
  if (values.choice("data") != "planted") return {ContextTask::full_attention};
  std::vector<ContextTask> chosen;
  const std::string& id = values.choice("task");
  for (const ContextTaskInfo& info : context_task_infos())
    if (id == all_tasks || id == info.id) chosen.push_back(info.task);
  return chosen;
}

/// What is learnt, summed or chosen for each cluster or codeword.
Result<void> check_learnt(const ParameterValues& values, const MemorySetting& setting) {
  const Index n_code = values.integer("n_code"), n_cluster = values.integer("n_cluster");
  const auto number = [](Index count) { return static_cast<double>(count); };
  const double largest = values.choice("quantity").starts_with("error_by_") ? std::ranges::max(memory_factors) : 1;
  const double d_k = 4 * number(setting.d_k), sums = 8 * number(setting.d_v);
  return check_memory_bytes(
      fmt::format("n_code {}, n_cluster {}, clusters {}", n_code, n_cluster, setting.clusters),
      largest * (number(n_code) * (d_k + sums) + number(n_cluster) * d_k) + number(setting.clusters) * (d_k + sums));
}

}  // namespace

std::string ContextSetting::cost() const {
  constexpr std::string_view beginning = "error_by_";
  return quantity.starts_with(beginning) ? quantity.substr(beginning.size()) : std::string();
}

Index ContextSetting::most_computed() const {
  return static_cast<Index>(most_memory_bytes() / (4 * static_cast<double>(2 * memory.d_k + memory.d_v)));
}

std::vector<ParameterSpec> context_parameters() {
  std::vector<ParameterSpec> specs{make_parameter(
      "quantity", "Curve", "Quantity to compare.",
      {.default_value = std::string("error"),
       .choices = {{"error", "part of the answer that is missing, by task or, of one task, by length; measured"},
                   {"error_by_bytes", "the same against the memory, each system with several sizes"},
                   {"error_by_operations", "the same against the operations for one token"},
                   {"reach", "tokens that can influence the newest one through all layers, counted"},
                   {"bytes", "memory of keys, values and states, counted"},
                   {"operations", "floating-point operations for one token, counted"},
                   {"seconds", "time for one token on this machine, measured"}}})};
  for (auto& spec : system_parameters()) specs.push_back(std::move(spec));
  spec_of(specs, "n_cluster").label = "Clusters";
  for (auto& spec : memory_parameters()) specs.push_back(std::move(spec));
  for (const char* name : {"q_length", "segment_len"}) spec_of(specs, name).maximum = longest_context;
  spec_of(specs, "q_length").help = "Length of the longest sequence T; shorter ones are powers of two.";
  spec_of(specs, "q_length").default_value = Index{32768};
  spec_of(specs, "segment_len").default_value = Index{512};
  spec_of(specs, "data").choices.front().help = "synthetic tasks with known answers";
  spec_of(specs, "match_cosine").help = "Cosine between the query of a far fact and its key.";
  spec_of(specs, "match_cosine").default_value = 0.9;
  spec_of(specs, "normalize").relevant = {{"data", {"tensors"}}};
  for (auto& spec : task_parameters()) specs.push_back(std::move(spec));
  spec_of(specs, "clusters").label = "Topics";
  specs.push_back(repeats_parameter());
  specs.back().relevant = {{"quantity", {"seconds"}}};
  return specs;
}

Result<ContextSetting> context_setting(const ParameterValues& values, bool numbers) {
  auto memory = memory_setting(values, numbers);
  if (!memory) return memory.error();
  ContextSetting setting{.quantity = values.choice("quantity"), .memory = std::move(*memory)};
  setting.sizes = {.d_k = setting.memory.d_k,
                   .d_v = setting.memory.d_v,
                   .segment_len = setting.memory.segment_len,
                   .window = values.integer("window"),
                   .sinks = values.integer("sinks"),
                   .xl_memory_len = values.integer("xl_memory_len"),
                   .compressed_len = values.integer("compressed_len"),
                   .compression_rate = values.integer("compression_rate"),
                   .compression = compression_of(values.choice("compression")),
                   .memory_len = values.integer("memory_len"),
                   .top_k = values.integer("top_k"),
                   .n_cluster = values.integer("n_cluster"),
                   .n_code = values.integer("n_code"),
                   .block_len = values.integer("block_len"),
                   .layers = values.integer("layers")};
  setting.task = {.fact_distance = values.integer("fact_distance"), .copy_distance = values.integer("copy_distance")};
  const auto& ids = values.choices("systems");
  for (const ContextSystemInfo& info : context_system_infos())
    if (std::ranges::count(ids, info.id) > 0) setting.systems.push_back(info);
  setting.tasks = chosen_tasks(values);
  if (const double sharpness = values.real("sharpness"); sharpness > 0) setting.sharpness = sharpness;
  return setting;
}

Result<void> check_context(const ParameterValues& values) {
  const auto setting = memory_setting(values, false);
  if (!setting) return setting.error();
  if (values.choices("systems").empty()) return invalid("systems is empty but must have at least one system");
  const Index top_k = values.integer("top_k"), memory_len = values.integer("memory_len");
  if (top_k > memory_len) return invalid("top_k is {} but must be 1 to {}, the keys in the memory", top_k, memory_len);
  return check_learnt(values, *setting);
}

}  // namespace vqscope
