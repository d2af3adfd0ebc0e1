// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Positions of a token: time, height, width.
using MropePosition = std::array<Index, 3>;

/// An image or a video as tokens of the language model: frames × rows × columns, after patches were
/// merged.
struct MropeGrid {
  Index frames = 1;
  Index rows = 1;
  Index cols = 1;

  Index tokens() const { return frames * rows * cols; }
};

/// Alternating text and images, as in Qwen2-VL: text has the same position on all three axes and
/// counts on; an image's tokens have the first position after the text plus their place in the
/// grid; what follows continues after the largest position of any axis.
class MropeLayout {
 public:
  /// A run of text tokens, or one image.
  struct Segment {
    bool text = true;
    Index first_token = 0;
    Index tokens = 0;
    Index first_position = 0;
    MropeGrid grid = {};
  };

  /// `texts[i]` text tokens before image i, the last item after all images. `frame_step`: positions
  /// from a frame to the next; fractions are cut off. Refuses more than 2^31 tokens.
  static Result<MropeLayout> make(std::span<const Index> texts, std::span<const MropeGrid> images, double frame_step);

  Index tokens() const { return m_tokens; }
  MropePosition position(Index token) const;
  const Segment& segment(Index token) const;
  /// Text tokens that are generated have position token + rope_delta: largest position + 1 −
  /// tokens, as in Hugging Face's rope_deltas. Not above 0 for images.
  Index rope_delta() const { return m_next_position - m_tokens; }

 private:
  Index time_of(Index frame) const;
  void add(const Segment& segment, Index positions);

  std::vector<Segment> m_segments;  ///< none is empty
  Index m_tokens = 0;
  Index m_next_position = 0;
  double m_frame_step = 1;
};

/// Which pairs the sections are. runs (Qwen2-VL): the first section[0] pairs follow time, and so
/// on. interleaved (Qwen3-VL): height has pairs 1, 4, 7, …, width 2, 5, 8, …, section[1] and
/// section[2] of them; time the others. height_first (ERNIE 4.5 VL): the sections are height, width
/// and time; pairs of height and width take turns, and those of time follow.
enum class MropeOrder { runs, interleaved, height_first };
/// interleaved comes before height_first.
MropeOrder mrope_order(bool interleaved, bool height_first);

/// The axis (0 time, 1 height, 2 width) that rotates each of `pairs` pairs. Refuses sections that
/// do not fit.
Result<std::vector<std::uint8_t>> mrope_axes(std::span<const Index> section, MropeOrder order, Index pairs);

/// "time", "height", "width".
std::string mrope_axis_name(int axis);

}  // namespace vqscope
