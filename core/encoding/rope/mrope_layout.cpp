// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/mrope_layout.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_tokens = Index{1} << 31;

}  // namespace

Index MropeLayout::time_of(Index frame) const {
  return static_cast<Index>(std::floor(static_cast<double>(frame) * m_frame_step));
}

void MropeLayout::add(const Segment& segment, Index positions) {
  if (segment.tokens == 0) return;
  m_segments.push_back(segment);
  m_segments.back().first_token = m_tokens;
  m_segments.back().first_position = m_next_position;
  m_tokens += segment.tokens;
  m_next_position += positions;
}

Result<MropeLayout> MropeLayout::make(std::span<const Index> texts, std::span<const MropeGrid> images,
                                      double frame_step) {
  if (texts.size() != images.size() + 1)
    return invalid("text_lengths has {} items but must have {}: one before each of {} images and one after them",
                   texts.size(), images.size() + 1, images.size());
  MropeLayout layout;
  layout.m_frame_step = frame_step;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    layout.add({.text = true, .tokens = texts[i]}, texts[i]);
    if (i < images.size()) {
      const MropeGrid& grid = images[i];
      const Index last = std::max({layout.time_of(grid.frames - 1), grid.rows - 1, grid.cols - 1});
      layout.add({.text = false, .tokens = grid.tokens(), .grid = grid}, last + 1);
    }
    if (layout.m_tokens > most_tokens)
      return too_large("text and images have more than {} tokens", grouped(most_tokens));
  }
  if (layout.m_tokens == 0) return invalid("text_lengths and image_grid_thw describe no tokens");
  return layout;
}

const MropeLayout::Segment& MropeLayout::segment(Index token) const {
  const auto after = std::ranges::upper_bound(m_segments, token, {}, &Segment::first_token);
  return *std::prev(after);
}

MropePosition MropeLayout::position(Index token) const {
  const Segment& in = segment(token);
  const Index place = token - in.first_token;
  if (in.text) return {in.first_position + place, in.first_position + place, in.first_position + place};
  const Index frame = in.grid.rows * in.grid.cols;
  return {in.first_position + time_of(place / frame), in.first_position + place % frame / in.grid.cols,
          in.first_position + place % in.grid.cols};
}

MropeOrder mrope_order(bool interleaved, bool height_first) {
  if (interleaved) return MropeOrder::interleaved;
  return height_first ? MropeOrder::height_first : MropeOrder::runs;
}

Result<std::vector<std::uint8_t>> mrope_axes(std::span<const Index> section, MropeOrder order, Index pairs) {
  if (section.size() != 3)
    return invalid("mrope_section has {} items but must have 3: pairs for time, height and width", section.size());
  const Index sum = section[0] + section[1] + section[2];
  if (sum != pairs)
    return invalid("mrope_section adds up to {} but must be {}, half the rotated dimensions", sum, pairs);
  if (order == MropeOrder::height_first && section[0] != section[1])
    return invalid(
        "mrope_section has {} pairs for height and {} for width but must have as many for both to take turns",
        section[0], section[1]);
  const auto axis_of = [&](Index pair) -> Index {
    switch (order) {
      case MropeOrder::runs: return pair < section[0] ? 0 : pair < section[0] + section[1] ? 1 : 2;
      case MropeOrder::interleaved: {
        const Index turn = pair % 3;
        return turn > 0 && pair < 3 * section[static_cast<std::size_t>(turn)] ? turn : 0;
      }
      case MropeOrder::height_first: return pair >= section[0] + section[1] ? 0 : 1 + pair % 2;
    }
    return 0;
  };
  std::vector<std::uint8_t> axes;
  for (Index pair = 0; pair < pairs; ++pair) axes.push_back(static_cast<std::uint8_t>(axis_of(pair)));
  return axes;
}

std::string mrope_axis_name(int axis) { return axis == 0 ? "time" : axis == 1 ? "height" : "width"; }

}  // namespace vqscope
