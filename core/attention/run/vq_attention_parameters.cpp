// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/vq_attention_parameters.h"

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/query_key_norm.h"

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
  const std::vector<Relevance> vq{{"form", {"linear", "quadratic"}}};
  const std::vector<Relevance> linear{{"form", {"linear"}}};
  std::vector<ParameterSpec> specs{
      {.name = "form",
       .help = "How attention is computed.",
       .kind = ParameterKind::choice,
       .fallback = std::string("linear"),
       .choices = {{"linear", "VQ attention in time linear in T (theorem 3.7)"},
                   {"quadratic", "VQ attention by its definition (3.1)"},
                   {"exact", "softmax attention with the keys as they are"}}},
      {.name = "n_code",
       .help = "Codewords of a codebook that is learnt; those of a given one.",
       .fallback = Index{512},
       .minimum = 1,
       .maximum = 1048576,
       .logarithmic = true,
       .relevant = vq},
      {.name = "block_len",
       .help = "Tokens of a block of the linear form, which do not change its result; the distance at which "
               "transformer_xl ends and clipped biases stay, and the blocks of agg_cache.",
       .fallback = Index{512},
       .minimum = 1,
       .maximum = 1048576,
       .logarithmic = true},
      {.name = "reduction",
       .help = "How the linear form gets the cache that each block sees; the result does not depend on it.",
       .kind = ParameterKind::choice,
       .fallback = std::string("serial_scan"),
       .choices = {{"serial_scan", "one block after the other"},
                   {"matmul", "each block from all before it"},
                   {"associative_scan", "blocks merged pair by pair"},
                   {"input_scan", "everything computed one block at a time"}},
       .relevant = linear},
      {.name = "head_type",
       .help = "What the heads must be.",
       .kind = ParameterKind::choice,
       .fallback = std::string("any"),
       .choices = {{"any", "heads of q a multiple of those of k"},
                   {"shga", "one gated head"},
                   {"mqa", "one head of keys and values"},
                   {"mha", "as many heads of keys and values as of queries"}}},
      {.name = "causal",
       .help = "Whether a query sees the keys up to its own alone.",
       .kind = ParameterKind::boolean,
       .fallback = true},
      {.name = "agg_cache",
       .help = "Whether blocks before the previous one are seen through the cache; false: not at all.",
       .kind = ParameterKind::boolean,
       .fallback = true,
       .relevant = vq},
      normalize_parameter("none"),
      {.name = "gamma",
       .help = "How much of counts and sums stays at each step of learning a codebook.",
       .kind = ParameterKind::real,
       .fallback = 0.99,
       .minimum = 0,
       .maximum = 0.99999,
       .relevant = vq},
      {.name = "iterations",
       .help = "Steps of learning a codebook; 0: the keys that k-means++ chooses.",
       .fallback = Index{100},
       .minimum = 0,
       .maximum = 1000000,
       .relevant = vq},
      {.name = "seed",
       .help = "Of the first codewords that are drawn among the keys.",
       .fallback = Index{0},
       .minimum = 0,
       .maximum = 9007199254740991,
       .relevant = vq},
      {.name = "compare",
       .help = "Whether the exact form is computed too, and how far the output is from it.",
       .kind = ParameterKind::boolean,
       .fallback = false},
      {.name = "threads",
       .help = "Threads; the result does not depend on them.",
       .fallback = Index{0},
       .minimum = 0,
       .maximum = 1024,
       .automatic = "as many as the machine runs at once"},
  };
  for (auto& spec : bias_parameters())
    if (!find_spec(specs, spec.name)) specs.push_back(std::move(spec));
  for (auto& spec : specs)
    if (spec.group.empty()) spec.group = "VQ attention";
  return specs;
}

CacheReduction reduction_of(std::string_view id) { return meaning(reductions, id); }
HeadType head_type_of(std::string_view id) { return meaning(head_types, id); }

AttentionOptions vq_attention_options(const ParameterValues& values) {
  return {.form = meaning(forms, values.choice("form")),
          .causal = values.boolean("causal"),
          .head_type = head_type_of(values.choice("head_type")),
          .block_len = values.integer("block_len"),
          .reduction = reduction_of(values.choice("reduction")),
          .agg_cache = values.boolean("agg_cache"),
          .threads = threads_of(values.integer("threads"))};
}

}  // namespace vqscope
