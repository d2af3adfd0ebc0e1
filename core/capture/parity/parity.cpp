// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::array projections{TensorRole::q_proj, TensorRole::k_proj, TensorRole::q, TensorRole::k, TensorRole::v};

/// What explains as much as the best does up to noise, the one of least rank first.
void choose(std::vector<TriedCause> tried, Parity& parity) {
  if (tried.empty()) return;
  const double left = 1 - tried.front().explained;
  const auto alike = [&](const TriedCause& each) { return 1 - each.explained <= 2 * std::max(left, 0.0) + 1e-6; };
  const auto end = std::stable_partition(tried.begin(), tried.end(), alike);
  std::stable_sort(tried.begin(), end, [](const TriedCause& a, const TriedCause& b) { return a.rank < b.rank; });
  if (tried.front().explained >= least_explained) {
    parity.cause = tried.front();
    tried.erase(tried.begin());
  }
  for (TriedCause& each : tried)
    if (each.explained >= 0.3 && parity.alternatives.size() < 8) parity.alternatives.push_back(std::move(each));
}

/// The projections that differ although the layer's input does not: by its own tensor, or by another
/// projection of it. Rotated vectors stand for projections that were not captured, where one of them alone differs.
std::vector<std::string> changed_weights(const LayerSample& sample) {
  std::vector<std::string> names;
  bool input_agrees = sample.same(TensorRole::hidden_in), rotated = false;
  for (const TensorRole role : projections) {
    const bool vectors = role == TensorRole::q || role == TensorRole::k;
    const TensorRole after = role == TensorRole::q ? TensorRole::q_rot : TensorRole::k_rot;
    const bool replaced = vectors && !sample.has(role);
    const TensorRole shown = replaced ? after : role;
    if (sample.same(shown)) input_agrees = true;
    if (!sample.differs(shown)) continue;
    if (replaced && rotated) return {};
    rotated = rotated || replaced;
    const std::string name(name_of(role).substr(0, 1));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!input_agrees || sample.differs(TensorRole::hidden_in)) names.clear();
  return names;
}

bool attention_agrees(const CaptureComparison& comparison, Index layer) {
  const ComparedLayer* found = comparison.find(layer);
  if (!found) return true;
  return std::none_of(found->tensors.begin(), found->tensors.end(), [&](const auto& each) {
    return each.first != TensorRole::hidden_out && comparison.exceeds(layer, each.first);
  });
}

/// Nothing within attention is to blame: its weights, or what came before.
void blame_inputs(const Capture& a, const LayerSample& sample, Parity& parity) {
  const FirstDifference& first = *parity.comparison.first;
  const auto weights = changed_weights(sample);
  if (!weights.empty()) {
    parity.cause = TriedCause{"weights_differ", {{"weights", weights}}, 1, 9};
    return;
  }
  const bool input = first.role == TensorRole::hidden_in || first.role == TensorRole::hidden_out;
  const bool all = sample.differs(TensorRole::v) &&
                   (sample.differs(TensorRole::q) || sample.differs(TensorRole::q_rot)) &&
                   (sample.differs(TensorRole::k) || sample.differs(TensorRole::k_rot));
  if (!input && !all) return;
  if (input && first.role == TensorRole::hidden_out && !attention_agrees(parity.comparison, first.layer)) return;
  parity.cause = TriedCause{"inputs_differ", {}, 1, 9};
  const Index before = first.layer - 1;
  if (first.role == TensorRole::hidden_out)
    parity.undetermined.push_back(
        fmt::format("layer {}: between attention and the block's output the captures hold nothing (output projection, "
                    "MLP, norms){}",
                    first.layer, sample.has(TensorRole::out) ? "" : "; attention was not captured"));
  else if (first.layer > 0 && !a.layers.contains(before))
    parity.undetermined.push_back(
        fmt::format("layer {} was not captured: the difference began before layer {}", before, first.layer));
  else
    parity.undetermined.push_back(fmt::format(
        "what enters layer {} already differs: look at {}", first.layer,
        first.layer == 0 ? "token ids and the embedding" : "the MLP and norms of layer " + to_text(before)));
}

void add_told_differences(const Capture& a, const Capture& b, Parity& parity) {
  if (!a.info.config || !b.info.config) {
    parity.undetermined.push_back(fmt::format("{} no config: values are read from its tensors", a.info.config ? "B has"
                                                                                                : b.info.config
                                                                                                    ? "A has"
                                                                                                    : "A and B have"));
    return;
  }
  if (*a.info.config == *b.info.config || !a.info.config->object()) return;
  std::vector<std::string> keys;
  for (const ConfigValue& member : a.info.config->object()->members) {
    const ConfigValue* other = b.info.config->find(member.key);
    if (!other || !(other->data == member.data)) keys.push_back(member.key);
  }
  if (!keys.empty()) parity.undetermined.push_back("the configs of A and B differ in " + listed(keys));
}

Result<void> find_cause(const Capture& a, const Capture& b, Parity& parity) {
  const FirstDifference& first = *parity.comparison.first;
  const auto sample = layer_sample(a, b, parity.comparison, first.layer, first.cell.at);
  if (!sample) return sample.error();
  const ToldModel told = told_model(a, first.layer, sample->head_dim, sample->past + sample->queries);
  CauseSearch search(*sample, told, fitted_recipe(*sample, told, &a));
  const bool from_hidden = first.role == TensorRole::hidden_out;
  if (!from_hidden) {
    try_input_causes(search);
    try_mask_causes(search);
    try_position_causes(search);
    try_rope_causes(search);
    try_scaling_causes(search);
    try_score_causes(search);
    try_bias_causes(search);
    try_head_causes(search);
    try_cast_causes(search);
    // What is taken for A's way explains B before anything is changed, or does not make A: it is not A's.
    if (search.explained(search.recipe()) > 0.3 || search.unknown_share() > 1 - least_explained)
      parity.undetermined.emplace_back(
          "how A computes is not told by its tensors and config: a cause cannot be tried on it");
    else
      choose(search.tried(), parity);
  }
  if (parity.cause && parity.cause->id.starts_with("window_"))
    if (auto moved = moved_windows(a, b, parity.comparison, *parity.cause)) parity.cause = std::move(moved);
  if (!parity.cause) blame_inputs(a, *sample, parity);
  if (sample->is_part)
    parity.undetermined.push_back(fmt::format("causes were tried on {} queries, {} keys and {} heads of layer {}",
                                              sample->rows.size(), sample->keys, sample->heads, first.layer));
  if (parity.cause || from_hidden) return {};
  std::vector<std::string> excluded;
  for (const TriedCause& each : search.tried()) excluded.push_back(each.id);
  parity.undetermined.push_back(excluded.empty() ? "the tensors of this layer do not suffice to try any cause"
                                                 : "no cause explains it; tried: " + listed(excluded));
  return {};
}

}  // namespace

Result<Parity> parity_of(const Capture& a, const Capture& b, const Work& work,
                         const std::function<void(const FirstDifference&)>& found) {
  auto comparison = compared_captures(a, b, work, found);
  if (!comparison) return comparison.error();
  Parity parity;
  parity.comparison = std::move(*comparison);
  add_told_differences(a, b, parity);
  if (parity.comparison.first)
    if (auto tried = find_cause(a, b, parity); !tried) return tried.error();
  const auto& first = parity.comparison.first;
  if (!first) {
    parity.sentence =
        parity.comparison.verdict == ParityVerdict::equal
            ? "the captures are equal"
            : fmt::format("the captures differ by the noise of {} only", parity.comparison.unit > 1e-3   ? "bfloat16"
                                                                         : parity.comparison.unit > 1e-5 ? "float16"
                                                                                                         : "float32");
    return parity;
  }
  parity.sentence = parity.cause ? cause_sentence(*parity.cause) : "no cause that was tried explains the difference";
  if (first->cell.at[2] >= 0)
    parity.look_at = fmt::format("query {} of head {}, layer {}", first->cell.at[2], first->cell.at[1], first->layer);
  return parity;
}

}  // namespace vqscope
