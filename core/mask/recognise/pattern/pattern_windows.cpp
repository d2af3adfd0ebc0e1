// SPDX-License-Identifier: GPL-3.0-or-later
// Swin: the windows of an image, shifted ones with the regions that its published mask separates.
// Left padding whose queries see every key, so that no row is empty: transformers' _unmask_unattended.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

namespace vqscope {
namespace {

/// One axis of the image, cut into windows.
struct Axis {
  Index length = 0;
  std::vector<Index> starts;  ///< of all windows but the first
};

/// Where the columns of the image begin again: most rows are runs at this distance.
std::optional<Index> columns_of(const PatternInput& input) {
  Votes steps;
  input.for_each_row({0, input.tokens()}, [&](Index, std::span<const Range> row) {
    if (row.size() > 1) steps.add(row[1].begin - row[0].begin);
  });
  return steps.empty() ? std::nullopt : std::optional(steps.winner().first);
}

/// Where along an axis a token sees others than the token before.
Axis axis_of(const PatternInput& input, Index length, Index step) {
  Axis axis{.length = length, .starts = {}};
  for (Index at = 1; at < length; ++at)
    if (!std::ranges::equal(input.rows().row(at * step), input.rows().row((at - 1) * step))) axis.starts.push_back(at);
  return axis;
}

/// How an axis is cut: windows of `size`, the first of which begins `shift` before the axis, and a
/// border inside the last one, which the roll of a shifted image makes.
struct Cut {
  Index size = 0;
  Index shift = 0;
  Index region = 0;  ///< where the border stands; 0: none
  friend bool operator==(const Cut&, const Cut&) = default;
};

/// As if all windows were as long as the longest, which the comparison with the rows decides.
Cut cut_of(const Axis& axis) {
  if (axis.starts.empty()) return {.size = axis.length};
  std::vector<Index> edges{0};
  edges.insert(edges.end(), axis.starts.begin(), axis.starts.end());
  edges.push_back(axis.length);
  Cut cut;
  for (std::size_t i = 1; i < edges.size(); ++i) cut.size = std::max(cut.size, edges[i] - edges[i - 1]);
  const bool two_at_end = edges.size() > 3 && axis.length - edges[edges.size() - 3] == cut.size;
  if (two_at_end && edges[1] == cut.size)
    cut.region = axis.starts.back();
  else
    cut.shift = cut.size - edges[1];
  return cut;
}

std::string cut_condition(const Cut& cut, const std::string& q, const std::string& k) {
  const auto window = [&](const std::string& at) {
    return cut.shift > 0 ? fmt::format("({} + {}) // {}", at, cut.shift, cut.size)
                         : fmt::format("{} // {}", at, cut.size);
  };
  std::string text = fmt::format("({} == {})", window(q), window(k));
  if (cut.region > 0) text += fmt::format(" & (({} < {}) == ({} < {}))", q, cut.region, k, cut.region);
  return text;
}

/// " shifted by 2", "; rolled by 2".
std::string shift_text(const Cut& rows, const Cut& columns, Index height, Index width) {
  const auto both = [](Index a, Index b) { return a == b ? to_text(a) : fmt::format("{} × {}", a, b); };
  if (rows.shift + columns.shift > 0) return ", shifted by " + both(rows.shift, columns.shift);
  if (rows.region + columns.region == 0) return {};
  return ", rolled by " +
         both(rows.region > 0 ? height - rows.region : 0, columns.region > 0 ? width - columns.region : 0);
}

}  // namespace

void propose_windows(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Extent extent = input.extent();
  if (input.past_len() != 0 || extent.rows != extent.cols) return;
  const auto columns = columns_of(input);
  if (!columns || *columns < 2 || extent.cols % *columns != 0) return;
  const Index height = extent.cols / *columns;
  const Axis across = axis_of(input, *columns, 1);
  const Axis down = axis_of(input, height, *columns);
  if (across.starts.empty()) return;
  const Cut cut_across = cut_of(across);
  const Cut cut_down = cut_of(down);
  MaskPattern made{.kind = MaskKind::groups};
  made.terms = {fmt::format("windows of {} × {} pixels in an image of {} columns{}", cut_down.size, cut_across.size,
                            *columns, shift_text(cut_down, cut_across, height, *columns))};
  made.condition = cut_condition(cut_across, fmt::format("q_idx % {}", *columns), fmt::format("kv_idx % {}", *columns));
  if (!down.starts.empty())
    made.condition +=
        " & " + cut_condition(cut_down, fmt::format("q_idx // {}", *columns), fmt::format("kv_idx // {}", *columns));
  made.size = 5 + (cut_down == cut_across ? 0 : 2);
  if (cut_down.shift + cut_across.shift + cut_down.region + cut_across.region > 0) made.size += 2;
  out.push_back(std::move(made));
}

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
