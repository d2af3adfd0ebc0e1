// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/retrieval_setting.h"

#include "core/base/sentence.h"

namespace vqscope {

std::vector<ParameterSpec> retrieval_parameters() {
  const char* group = "Memory";
  auto specs = memory_parameters();
  specs.push_back(make_parameter(
      "memory_len", group,
      "Number of keys and values of earlier segments that stay in the memory; the newest are kept.",
      {.default_value = Index{1024}, .minimum = 1, .maximum = 131072, .logarithmic = true, .unit = "tokens"}));
  specs.push_back(make_parameter("top_k", group, "Number of keys that each query retrieves from the memory.",
                                 {.default_value = Index{16}, .minimum = 1, .maximum = 4096, .logarithmic = true}));
  specs.push_back(make_parameter("search", group, "How keys are retrieved.",
                                 {.default_value = std::string("exact"),
                                  .choices = {{"exact", "the top_k keys with the highest scores"},
                                              {"bucket_maximum",
                                               "the best key of each of top_k buckets, as meliad retrieves on TPUs; "
                                               "key i of the memory is in bucket i mod top_k"}}}));
  specs.push_back(
      make_parameter("mixing", group, "How local attention and retrieved keys are combined.",
                     {.default_value = std::string("gate"),
                      .choices = {{"gate", "(1 − g) · local + g · retrieved, each with its own softmax (meliad)"},
                                  {"joint", "one softmax over retrieved and local keys (lucidrains)"}}}));
  specs.push_back(make_parameter(
      "gate", group, "The head's learned gate b; the memory's weight is g = sigmoid(b).",
      {.label = "Gate b", .default_value = 0.0, .minimum = -20, .maximum = 20, .relevant = {{"mixing", {"gate"}}}}));
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
  if (top_k > memory_len) return invalid("top_k is {}, must be 1 to {}, the keys in the memory", top_k, memory_len);
  return {};
}

Citation retrieval_citation() {
  return {"Wu et al. 2022, Memorizing Transformers, section 3",
          "google-research/meliad, transformer/memory_layer.py and transformer_layer.py; "
          "lucidrains/memorizing-transformers-pytorch"};
}

}  // namespace vqscope
