// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"

#include "core/base/sentence.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<Choice> rule_choices() {
  return {{"linear", "M += σ(K)ᵀ V"},
          {"delta", "M += σ(K)ᵀ (V − what the memory before the segment returns for K)"},
          {"delta_by_token", "the delta rule token by token (Schlag et al. 2021)"}};
}

}  // namespace

std::vector<ParameterSpec> retrieval_parameters() {
  const char* group = "Memory";
  auto specs = memory_parameters();
  add_parameter(specs, "memory_len", group,
                "Number of keys and values of earlier segments that stay in the memory; the newest are kept.",
                {.default_value = Index{1024}, .minimum = 1, .maximum = 131072, .logarithmic = true, .unit = "tokens"});
  add_parameter(specs, "top_k", group, "Number of keys that each query retrieves from the memory.",
                {.default_value = Index{16}, .minimum = 1, .maximum = 4096, .logarithmic = true});
  add_parameter(specs, "search", group, "How keys are retrieved.",
                {.default_value = std::string("exact"),
                 .choices = {{"exact", "the top_k keys with the highest scores"},
                             {"bucket_maximum",
                              "the best key of each of top_k buckets, as meliad retrieves on TPUs; "
                              "key i of the memory is in bucket i mod top_k"}}});
  add_parameter(specs, "mixing", group, "How local attention and retrieved keys are combined.",
                {.default_value = std::string("gate"),
                 .choices = {{"gate", "(1 − g) · local + g · retrieved, each with its own softmax (meliad)"},
                             {"joint", "one softmax over retrieved and local keys (lucidrains)"}}});
  add_parameter(
      specs, "gate", group, "The head's learned gate b; the memory's weight is g = sigmoid(b).",
      {.label = "Gate b", .default_value = 0.0, .minimum = -20, .maximum = 20, .relevant = {{"mixing", {"gate"}}}});
  return specs;
}

Result<RetrievalSetting> retrieval_setting(const ParameterValues& values, bool numbers) {
  auto memory = memory_setting(values, numbers);
  if (!memory) return memory.error();
  RetrievalSetting setting{.memory = std::move(*memory), .options = {}};
  setting.options.segment_len = setting.memory.segment_len;
  setting.options.memory_len = values.integer("memory_len");
  setting.options.top_k = values.integer("top_k");
  if (values.find("search") && values.choice("search") == "bucket_maximum")
    setting.options.search = RetrievalSearch::bucket_maximum;
  if (values.choice("mixing") == "joint") setting.options.mixing = MemoryMixing::joint;
  setting.options.gate = {values.real("gate")};
  return setting;
}

Result<void> check_retrieval_values(const ParameterValues& values) {
  if (auto checked = check_memory(values); !checked) return checked;
  const Index top_k = values.integer("top_k"), memory_len = values.integer("memory_len");
  if (top_k > memory_len) return invalid("top_k is {} but must be 1 to {}, the keys in the memory", top_k, memory_len);
  return {};
}

Citation retrieval_citation() {
  return {"Wu et al. 2022, Memorizing Transformers, section 3",
          "google-research/meliad, transformer/memory_layer.py and transformer_layer.py; "
          "lucidrains/memorizing-transformers-pytorch"};
}

std::vector<ParameterSpec> infini_parameters() {
  auto specs = memory_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "normalize" || spec.group == "Rotation"; });
  add_parameter(specs, "deviation", "Data",
                "Standard deviation of synthetic queries and keys. σ separates large keys more.",
                {.default_value = 1.0,
                 .minimum = 0.01,
                 .maximum = 100,
                 .logarithmic = true,
                 .relevant = {{"data", {"planted"}}}});
  return specs;
}

ParameterSpec infini_rule_parameter() {
  return make_parameter("rule", "Memory", "What a segment adds to the memory matrix; σ is elu + 1.",
                        {.default_value = std::string("linear"), .choices = rule_choices()});
}

ParameterSpec infini_rules_parameter() {
  return make_parameter(
      "rules", "Memory", "Update rules to compare; σ is elu + 1.",
      {.default_value = std::vector<std::string>{"linear", "delta", "delta_by_token"}, .choices = rule_choices()});
}

InfiniRule infini_rule(const std::string& id) {
  if (id == "linear") return InfiniRule::linear;
  return id == "delta" ? InfiniRule::delta : InfiniRule::delta_by_token;
}

std::vector<ParameterSpec> infini_gate_parameters() {
  return {make_parameter("polarity", "Memory", "Which part of the output sigmoid(β) multiplies.",
                         {.default_value = std::string("paper"),
                          .choices = {{"paper", "the memory: g · A_mem + (1 − g) · A_dot"},
                                      {"lucidrains", "local attention: g · A_dot + (1 − g) · A_mem"}}}),
          make_parameter("beta", "Memory", "The head's learned gate β; g = sigmoid(β).",
                         {.label = "Gate β", .default_value = 0.0, .minimum = -20, .maximum = 20})};
}

InfiniOptions infini_options(const ParameterValues& values, const MemorySetting& setting, InfiniRule rule) {
  return {.segment_len = setting.segment_len,
          .rule = rule,
          .polarity = values.choice("polarity") == "paper" ? InfiniGate::paper : InfiniGate::lucidrains,
          .gate = {values.real("beta")},
          .score_scale = 1 / std::sqrt(static_cast<double>(setting.d_k))};
}

Index segments_of(const MemorySetting& setting) { return (setting.q_length - 1) / setting.segment_len + 1; }

Range segment_at(const MemorySetting& setting, Index segment) {
  return {segment * setting.segment_len, std::min((segment + 1) * setting.segment_len, setting.q_length)};
}

void store_segment(const MemorySetting& setting, const MemoryTokens& tokens, Index segment, InfiniRule rule,
                   const std::stop_token& stop, InfiniMemory& memory) {
  const Range some = segment_at(setting, segment);
  memory.write(rows_of(matrix_of(tokens.keys, tokens.d_k), some), rows_of(matrix_of(tokens.values, tokens.d_v), some),
               rule, stop);
}

ReadOut read_out(const InfiniMemory& memory, const float* key, const float* value) {
  std::vector<double> read(static_cast<std::size_t>(memory.d_v()));
  memory.read(key, read.data());
  double apart = 0, product = 0, of_read = 0, of_value = 0;
  for (std::size_t c = 0; c < read.size(); ++c) {
    const auto wanted = static_cast<double>(value[c]);
    apart += (read[c] - wanted) * (read[c] - wanted);
    product += read[c] * wanted;
    of_read += read[c] * read[c];
    of_value += wanted * wanted;
  }
  if (of_value == 0) return {};
  return {std::sqrt(apart / of_value), of_read > 0 ? product / std::sqrt(of_read * of_value) : 0};
}

Citation infini_citation() {
  return {"Munkhdalai et al. 2024, Leave No Context Behind (Infini-attention), section 2",
          "lucidrains/infini-transformer-pytorch, infini_transformer.py"};
}

}  // namespace vqscope
