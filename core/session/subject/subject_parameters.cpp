// SPDX-License-Identifier: GPL-3.0-or-later
// The names that pages share, and what their methods allow for them.
#include "core/catalogue/registry.h"
#include "core/session/session.h"
#include "core/session/subject/subject.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vqscope {
namespace {

constexpr std::array sequence_names{"q_length", "kv_length", "past_len", "padding_side", "padding", "document_lengths"};
constexpr std::array model_names{"num_heads",
                                 "num_key_value_heads",
                                 "head_dim",
                                 "rotary_dim",
                                 "pair_layout",
                                 "rope_theta",
                                 "rope_type",
                                 "factor",
                                 "original_max_position_embeddings",
                                 "beta_fast",
                                 "beta_slow",
                                 "truncate",
                                 "attention_factor",
                                 "mscale",
                                 "mscale_all_dim",
                                 "low_freq_factor",
                                 "high_freq_factor",
                                 "short_factor",
                                 "long_factor",
                                 "seq_len",
                                 "num_buckets",
                                 "max_distance",
                                 "bidirectional",
                                 "sliding_window"};

constexpr std::array tensor_parameters{"q_tensor", "k_tensor", "v_tensor", "head", "tensor_layout"};

bool is_shared_name(std::string_view name) {
  return std::ranges::count(sequence_names, name) + std::ranges::count(model_names, name) +
             std::ranges::count(tensor_parameters, name) >
         0;
}

/// Adds what another method allows for the same name. Another default, "none", stays with its method.
void widen(ParameterSpec& spec, const ParameterSpec& other) {
  spec.minimum = std::min(spec.minimum, other.minimum);
  spec.maximum = std::max(spec.maximum, other.maximum);
  for (const auto& choice : other.choices)
    if (other.default_value != ParameterValue(choice.id) &&
        std::ranges::count(spec.choices, choice.id, &Choice::id) == 0)
      spec.choices.push_back(choice);
}

void add(std::vector<SubjectParameter>& all, std::string_view name, SubjectPart part) {
  const SubjectParameter* known = nullptr;
  for (const auto& method : methods()) {
    const PageInfo* page = page_of(method);
    const ParameterSpec* spec = page && page->shares ? find_spec(method.parameters, name) : nullptr;
    if (!spec) continue;
    if (!known) {
      all.push_back({*spec, part});
      std::erase_if(all.back().spec.relevant, [](const Relevance& each) { return !is_shared_name(each.name); });
      known = &all.back();
    } else if (spec->kind == known->spec.kind) {
      widen(all.back().spec, *spec);
    }
  }
}

}  // namespace

std::span<const SubjectParameter> subject_parameters() {
  static const std::vector<SubjectParameter> all = [] {
    std::vector<SubjectParameter> found;
    for (const auto* name : sequence_names) add(found, name, SubjectPart::sequence);
    for (const auto* name : model_names) add(found, name, SubjectPart::model);
    for (const auto* name : tensor_parameters) add(found, name, SubjectPart::tensors);
    return found;
  }();
  return all;
}

}  // namespace vqscope
