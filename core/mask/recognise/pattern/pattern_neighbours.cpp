// SPDX-License-Identifier: GPL-3.0-or-later
// NATTEN: the neighbourhood of a pixel, moved in at the borders of the image.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"

#include <map>

namespace vqscope {
namespace {

/// A neighbourhood of `height` times `width` pixels in an image of `columns`.
struct Neighbourhood {
  Index columns = 0;
  Index width = 0;
  Index height = 0;
  friend auto operator<=>(const Neighbourhood&, const Neighbourhood&) = default;
};

/// What most rows are: runs of one length at one distance. The last may be cut by the end of the image.
std::optional<Neighbourhood> neighbourhood_of(const PatternInput& input) {
  std::map<Neighbourhood, Index> counts;
  const bool read = input.for_each_row(input.document(), [&](Index, std::span<const Range> row) {
    const Index size = row.front().size();
    const Index step = row.size() > 1 ? row[1].begin - row[0].begin : 0;
    for (std::size_t i = 1; i < row.size(); ++i) {
      const bool equal = row[i].size() == size || (i + 1 == row.size() && row[i].size() < size);
      if (!equal || row[i].begin - row[i - 1].begin != step) return;
    }
    ++counts[{step, size, static_cast<Index>(row.size())}];
  });
  if (!read || counts.empty()) return {};
  return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

/// Kernels that are as wide as the image, or wider: their rows are one run.
std::vector<Neighbourhood> whole_rows(Index run) {
  std::vector<Neighbourhood> all;
  for (Index columns = 2; columns * columns <= run; ++columns)
    if (run % columns == 0 && run / columns % 2 == 1) all.push_back({columns, run / columns, run / columns});
  return all;
}

/// |clamp(q) - k| <= reach, along one axis of `length` pixels.
std::string axis_condition(const std::string& q, const std::string& k, Index reach, Index length) {
  return fmt::format("(abs(torch.clamp({}, {}, {}) - {}) <= {})", q, reach, length - 1 - reach, k, reach);
}

void propose_image(const PatternInput& input, const Neighbourhood& found, Range tokens, bool whole,
                   std::vector<MaskPattern>& out) {
  const std::string& q = whole ? input.token() : input.token_position();
  const std::string& k = whole ? input.key() : input.key_position();
  const std::string token = q.find(' ') == std::string::npos || q.front() == '(' ? q : "(" + q + ")";
  const Index rows = (tokens.size() - 1) / found.columns + 1;
  const auto axis = [&](const char* op, Index kernel, Index length) {
    return axis_condition(fmt::format("{} {} {}", token, op, found.columns),
                          fmt::format("{} {} {}", k, op, found.columns), kernel / 2, length);
  };
  MaskPattern made{.kind = MaskKind::neighbourhood};
  made.terms = {fmt::format("neighbourhood of {} × {} pixels in an image of {} columns", found.height, found.width,
                            found.columns)};
  made.condition = axis("%", found.width, found.columns) + " & " + axis("//", found.height, rows);
  made.size = found.width == found.height ? 5 : 7;
  if (whole && found.width == found.height) {
    made.preset = "natten";
    made.parameters = {{"width", found.columns}, {"kernel_size", found.width}};
  }
  out.push_back(std::move(made));
}

void propose_line(const PatternInput& input, Index kernel, std::vector<MaskPattern>& out) {
  const Range document = input.document();
  if (kernel < 2 || kernel % 2 == 0 || kernel >= document.size()) return;
  MaskPattern made{.kind = MaskKind::neighbourhood};
  made.terms = {fmt::format("neighbourhood of {} tokens", kernel)};
  made.condition = axis_condition(input.token_position(), input.key_position(), kernel / 2, document.size());
  made.size = 4;
  if (!input.has_documents()) {
    made.preset = "natten";
    made.parameters = {{"width", input.extent().cols}, {"kernel_size", kernel}};
  }
  out.push_back(std::move(made));
}

}  // namespace

void propose_neighbourhoods(const PatternInput& input, std::vector<MaskPattern>& out) {
  const auto found = neighbourhood_of(input);
  if (!found || (found->height > 1 && found->width % 2 == 0)) return;
  std::vector<Neighbourhood> all{{found->columns, found->width, found->width}};
  if (found->height == 1) {
    propose_line(input, found->width, out);
    all = whole_rows(found->width);
  }
  if (found->height > 1 && found->height % 2 == 1 && found->height != found->width) all.push_back(*found);
  const bool parts = input.has_documents() || input.frame().pad_left > 0 || input.frame().pad_right > 0;
  for (const Neighbourhood& each : all) {
    propose_image(input, each, {0, input.extent().cols}, true, out);
    if (parts) propose_image(input, each, input.document(), false, out);
  }
}

}  // namespace vqscope
