// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::array projections{TensorRole::q_proj, TensorRole::k_proj, TensorRole::q, TensorRole::k, TensorRole::v};

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

/// Whether keys or values of new tokens differ, and not only those of the cache.
bool new_rows_differ(const LayerSample& sample, TensorRole role, double allowed) {
  const TensorBlock &a = sample.a.at(role), &b = sample.b.at(role);
  double left = 0, size = 0;
  for (Index s = 0; s < a.extent[0]; ++s)
    for (Index h = 0; h < a.extent[1]; ++h)
      for (Index row = sample.past; row < a.extent[2]; ++row) {
        const auto one = a.row(s, h, row), two = b.row(s, h, row);
        for (std::size_t i = 0; i < one.size(); ++i) {
          left += std::pow(static_cast<double>(two[i] - one[i]), 2);
          size += std::pow(static_cast<double>(one[i]), 2);
        }
      }
  return left > allowed * allowed * size;
}

/// What the layer was given by earlier steps differs, and nothing that it makes of the new tokens before that.
bool cache_alone_differs(const CaptureComparison& comparison, const LayerSample& sample) {
  const FirstDifference& first = *comparison.first;
  if (sample.past == 0 || (first.role != TensorRole::v && first.role != TensorRole::k_rot)) return false;
  if (!sample.has(first.role)) return false;
  return first.cell.at[2] < sample.past &&
         !new_rows_differ(sample, first.role, 2 * comparison.find(first.layer)->allowed.at(first.role));
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
  if (cache_alone_differs(parity.comparison, sample)) {
    parity.undetermined.push_back(
        fmt::format("only cached rows of {} differ: look at the steps and layers that made them", name_of(first.role)));
    return;
  }
  const auto weights = changed_weights(sample);
  // Not where something else explains more than half of it.
  const bool else_explained = !parity.alternatives.empty() && parity.alternatives.front().explained > 0.5;
  if (!weights.empty() && else_explained) return;
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
    if (!other || !(other->data == member.data)) keys.push_back(shortened(member.key));
  }
  if (!keys.empty()) parity.undetermined.push_back("the configs of A and B differ in " + listed(keys));
}

/// Where a change of A's way does not make B, one of B's may make A.
void try_from_b(const Capture& a, const Capture& b, Parity& parity) {
  const Capture* told = &b;
  Capture copy;
  if (!b.info.config && a.info.config) {
    copy = b;
    copy.info.config = a.info.config;
    told = &copy;
  }
  auto trial = cause_trial(*told, a, parity.comparison);
  if (!trial || !trial->cause) return;
  parity.cause = std::move(trial->cause);
  parity.cause->in_a = true;
}

Result<void> find_cause(const Capture& a, const Capture& b, Parity& parity) {
  const FirstDifference& first = *parity.comparison.first;
  auto trial = cause_trial(a, b, parity.comparison);
  if (!trial) return trial.error();
  const LayerSample& sample = trial->sample;
  const bool from_hidden = first.role == TensorRole::hidden_out;
  parity.pair = trial->pair;
  parity.cause = std::move(trial->cause);
  parity.alternatives = std::move(trial->alternatives);
  if (parity.cause && parity.cause->id.starts_with("window_"))
    if (auto moved = moved_windows(a, b, parity.comparison, *parity.cause)) parity.cause = std::move(moved);
  if (!parity.cause && !from_hidden) try_from_b(a, b, parity);
  if (!parity.cause && !trial->way_known)
    parity.undetermined.emplace_back(
        "how A computes is not told by its tensors and config: a cause cannot be tried on it");
  if (!parity.cause) blame_inputs(a, sample, parity);
  if (!parity.cause && !sample.has(first.role))
    parity.undetermined.push_back(
        fmt::format("{} does not have the sizes that the other tensors of layer {} show: no cause can be tried on it",
                    name_of(first.role), first.layer));
  if (sample.is_part)
    parity.undetermined.push_back(fmt::format("causes were tried on {} queries, {} keys and {} heads of layer {}",
                                              sample.rows.size(), sample.keys, sample.heads, first.layer));
  if (parity.cause || from_hidden) return {};
  std::vector<std::string> excluded;
  for (const TriedCause& each : trial->tried) excluded.push_back(each.id);
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
