// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rules/capture_rules.h"

#include "core/base/sentence.h"
#include "core/capture/rules/layer_rules.h"

#include <array>

namespace vqscope {
namespace {

struct CaptureRule {
  LintRuleInfo info;
  RuleAnswer (*look)(const Capture&, Index layer, const std::stop_token&);
};

const std::array<CaptureRule, 5>& all_rules() {
  static const std::array<CaptureRule, 5> rules{
      {{{"capture_not_finite", "Numbers of a capture", "No tensor of a layer has NaN or infinity.", "IEEE 754"},
        first_not_finite},
       {{"capture_masked_weight", "Weight on hidden keys", "No key that the mask hides has weight.",
         "softmax of -infinity is 0"},
        masked_weight},
       {{"capture_row_sum", "Sums of weights", "The weights of a query sum to 1, or to less with a sink of the config.",
         "softmax"},
        row_sums},
       {{"capture_mask_positions", "Mask and positions",
         "No query sees more keys than have positions up to its own position id.", "causal attention with a cache"},
        mask_positions},
       {{"capture_turned_positions", "Rotation and positions", "q and k are turned to their position ids.",
         "Su et al. 2021"},
        turned_positions}}};
  return rules;
}

/// Whether a layer has what a rule looks at cannot be told by its answer; here it is by tensors.
const char* missing_for(const CaptureRule& rule, const Capture& capture) {
  const auto some = [&](auto... roles) {
    for (const auto& [layer, tensors] : capture.layers)
      if ((tensors.contains(roles) && ...)) return true;
    return false;
  };
  if (rule.look == masked_weight && !some(TensorRole::weights, TensorRole::mask)) return "weights with a mask";
  if (rule.look == row_sums && !some(TensorRole::weights)) return "weights";
  if (rule.look == mask_positions && !some(TensorRole::mask, TensorRole::position_ids))
    return "a mask with position_ids";
  const bool turned = some(TensorRole::q, TensorRole::q_rot, TensorRole::position_ids) ||
                      some(TensorRole::k, TensorRole::k_rot, TensorRole::position_ids);
  if (rule.look == turned_positions && !turned) return "q and q_rot with position_ids";
  return nullptr;
}

}  // namespace

std::vector<LintRuleInfo> capture_rules() {
  std::vector<LintRuleInfo> infos;
  for (const CaptureRule& rule : all_rules()) infos.push_back(rule.info);
  return infos;
}

Result<LintReport> check_capture(const Capture& capture, const Work& work) {
  LintReport report;
  double done = 0;
  const double steps = static_cast<double>(all_rules().size() * capture.layers.size());
  for (const CaptureRule& rule : all_rules()) {
    const char* missing = missing_for(rule, capture);
    report.outcomes.push_back({rule.info.id, missing ? fmt::format("no layer has {}", missing) : ""});
    std::optional<Finding> first;
    Index more = 0;
    for (const auto& [layer, tensors] : capture.layers) {
      work.report(done++ / steps);
      if (missing) continue;
      auto answer = rule.look(capture, layer, work.stop);
      if (!answer) return answer.error();
      if (!*answer) continue;
      if (first) {
        ++more;
        continue;
      }
      first = std::move(*answer);
      first->rule = rule.info.id;
      first->sentence = fmt::format("layer {}: {}", layer, first->sentence);
    }
    if (first && more > 0) first->sentence += fmt::format("; in {} more {}", more, more == 1 ? "layer" : "layers");
    if (first) report.findings.push_back(std::move(*first));
  }
  return report;
}

}  // namespace vqscope
