// SPDX-License-Identifier: GPL-3.0-or-later
// Axial attention: the row and the column of a token in a grid; of a video, its frame and its place in all frames.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

namespace vqscope {

void propose_axes(const PatternInput& input, std::vector<MaskPattern>& out) {
  // The tokens of a column stand alone, a row apart.
  Votes widths;
  input.for_each_row(input.document(), [&](Index, std::span<const Range> row) {
    for (std::size_t i = 1; i < row.size(); ++i)
      if (row[i - 1].size() == 1 && row[i].size() == 1) widths.add(row[i].begin - row[i - 1].begin);
  });
  const auto& q = input.token_position();
  const auto& k = input.key_position();
  for (const Index width : widths.winners()) {
    if (width < 2 || width >= input.document().size()) continue;
    const std::string term = fmt::format("axial: same row ∨ same column of a grid of {} columns", width);
    MaskPattern made{.kind = MaskKind::axial, .terms = {term}};
    made.condition =
        fmt::format("(({} // {} == {} // {}) | ({} % {} == {} % {}))", q, width, k, width, q, width, k, width);
    made.size = 4;
    out.push_back(made);
    made.terms = {"causal", "(" + term + ")"};
    made.condition = fmt::format("(kv_idx <= {}) & {}", input.token(), made.condition);
    made.size = 6;
    out.push_back(std::move(made));
  }
}

}  // namespace vqscope
