// SPDX-License-Identifier: GPL-3.0-or-later
// Left padding whose queries see every key, so that no row is empty: transformers' _unmask_unattended.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"

namespace vqscope {

void propose_open_padding(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Extent extent = input.extent();
  if (input.past_len() != 0) return;
  Index padding = 0;
  const auto sees_all = [&](Index q) {
    const auto row = input.rows().row(q);
    return row.size() == 1 && row.front() == Range{0, extent.cols};
  };
  while (padding < extent.rows && sees_all(padding)) ++padding;
  if (padding == 0 || padding == extent.rows) return;
  const auto last = input.rows().row(extent.rows - 1);
  if (last.empty() || last.back().end != extent.rows) return;
  const Index window = extent.rows - last.front().begin;
  const bool cut = last.front().begin > padding;
  MaskPattern made{.kind = MaskKind::open_padding, .terms = {"causal"}, .size = cut ? 8 : 6};
  if (cut) made.terms.push_back("window " + to_text(window));
  made.terms.push_back(fmt::format("key padding of {} on the left, whose queries see every key", padding));
  made.condition = fmt::format("((q_idx < {}) | ((kv_idx >= {}) & (kv_idx <= q_idx){}))", padding, padding,
                               cut ? fmt::format(" & (q_idx - kv_idx < {})", window) : "");
  out.push_back(std::move(made));
}

}  // namespace vqscope
