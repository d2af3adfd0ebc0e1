// SPDX-License-Identifier: GPL-3.0-or-later
// NATTEN: the neighbourhood of a token in a sequence or an image, moved in at the borders; and one that is cut there.
// Axial attention: the row and the column of a token in a grid; of a video, its frame and its place in all frames.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

#include <map>
#include <tuple>

namespace vqscope {
namespace {

/// A neighbourhood of `height` times `width` pixels in an image of `columns`.
struct Neighbourhood {
  Index columns = 0;
  Index width = 0;
  Index height = 0;
  bool operator<(const Neighbourhood& other) const {
    return std::tie(columns, width, height) < std::tie(other.columns, other.width, other.height);
  }
};

/// Shape of most rows: runs of one length at one distance. The last may be cut by the end of the
/// image.
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

/// The tokens over which a neighbourhood is moved in: all of them, or those of each document.
struct Tokens {
  std::string q;    ///< the query's place among them
  std::string k;    ///< the key's
  Index count = 0;  ///< 0: `length`
  std::string length;
  bool are_all = true;

  /// The last of them but `more`, in rows of `columns`.
  std::string last(Index more, Index columns = 1) const {
    if (count > 0) return to_text((count - 1) / columns - more);
    return columns == 1 ? fmt::format("{} - {}", length, more + 1)
                        : fmt::format("({} - 1) // {} - {}", length, columns, more);
  }
};

Tokens all_tokens(const PatternInput& input) {
  const std::string& token = input.token();
  return {.q = input.past_len() == 0 ? token : "(" + token + ")", .k = input.key(), .count = input.extent().cols};
}

Tokens document_tokens(const PatternInput& input) {
  Tokens tokens{.q = input.token_position(), .k = input.key_position(), .are_all = false};
  if (input.has_documents())
    tokens.length = fmt::format("document_length[{}]", input.token());
  else
    tokens.count = input.document().size();
  return tokens;
}

/// |clamp(q) - k| <= reach, along one axis; where it is not moved in, |q - k| <= reach.
std::string axis_condition(const std::string& q, const std::string& k, Index reach, const std::string& last) {
  if (last.empty()) return fmt::format("(abs({} - {}) <= {})", q, k, reach);
  return fmt::format("(abs(torch.clamp({}, {}, {}) - {}) <= {})", q, reach, last, k, reach);
}

void propose_image(const Neighbourhood& found, const Tokens& tokens, bool moved_in, std::vector<MaskPattern>& out) {
  const auto axis = [&](const char* op, Index reach, const std::string& last) {
    return axis_condition(fmt::format("{} {} {}", tokens.q, op, found.columns),
                          fmt::format("{} {} {}", tokens.k, op, found.columns), reach, moved_in ? last : std::string());
  };
  MaskPattern made{.kind = MaskKind::neighbourhood};
  made.terms = {fmt::format("neighbourhood of {} × {} pixels in an image of {} columns{}", found.height, found.width,
                            found.columns, moved_in ? "" : ", cut at its borders")};
  const Index reach = found.width / 2;
  made.condition = axis("%", reach, to_text(found.columns - 1 - reach)) + " & " +
                   axis("//", found.height / 2, tokens.last(found.height / 2, found.columns));
  made.size = found.width == found.height ? 5 : 7;
  if (tokens.are_all && moved_in && found.width == found.height) {
    made.preset = "natten";
    made.parameters = {{"width", found.columns}, {"kernel_size", found.width}};
  }
  out.push_back(std::move(made));
}

void propose_line(const PatternInput& input, const Tokens& tokens, Index kernel, std::vector<MaskPattern>& out) {
  if (kernel < 2 || kernel % 2 == 0 || kernel >= input.document().size()) return;
  MaskPattern made{.kind = MaskKind::neighbourhood};
  made.terms = {fmt::format("neighbourhood of {} tokens", kernel)};
  made.condition = axis_condition(tokens.q, tokens.k, kernel / 2, tokens.last(kernel / 2));
  made.size = 4;
  if (tokens.are_all) {
    made.preset = "natten";
    made.parameters = {{"width", input.extent().cols}, {"kernel_size", kernel}};
  }
  out.push_back(std::move(made));
}

}  // namespace

void propose_neighbourhoods(const PatternInput& input, std::vector<MaskPattern>& out) {
  const auto found = neighbourhood_of(input);
  if (!found || (found->height > 1 && found->width % 2 == 0)) return;
  std::vector<Tokens> tokens{all_tokens(input)};
  if (input.has_documents() || input.frame().pad_left > 0 || input.frame().pad_right > 0)
    tokens.push_back(document_tokens(input));
  std::vector<Neighbourhood> all{{found->columns, found->width, found->width}};
  if (found->height == 1) {
    for (const Tokens& each : tokens) propose_line(input, each, found->width, out);
    all = whole_rows(found->width);
  }
  if (found->height > 1 && found->height % 2 == 1 && found->height != found->width) all.push_back(*found);
  for (const Neighbourhood& each : all)
    for (const Tokens& among : tokens)
      for (const bool moved_in : {true, false}) propose_image(each, among, moved_in, out);
}

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
