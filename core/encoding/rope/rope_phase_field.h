// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/phase_field.h"
#include "core/encoding/rope/pair_layout.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/field.h"
#include "core/sequence/sequence_layout.h"

#include <memory>

namespace vqscope {

/// The meaning of a column.
enum class RopeColumns { pairs, dimensions };

/// The angles of RoPE: cell (q, pair) belongs to q_pos(q) · inv_freq[pair].
struct RopePicture {
  RopeScaling scaling;
  RopeFrequencies frequencies;
  SequenceLayout layout;
  PhaseQuantity quantity = PhaseQuantity::phase;
  PairLayout pair_layout = PairLayout::half_split;
  RopeColumns columns = RopeColumns::pairs;

  /// The pair of each column, -1 where a dimension is not rotated.
  std::vector<std::int32_t> column_pairs() const;
};

/// [q_length, pairs], or [q_length, head_dim] for columns = dimensions; float32. The scaling has passed its check().
/// exact: position · inv_freq with real numbers. hf_float32: float32(position) · float32(inv_freq), rounded, and the
/// float cos or sin of that; phases show the rounded angle modulo 2π.
std::shared_ptr<const Field> make_rope_field(RopePicture picture);

/// The report on cell (row, col), which shows `value`.
CellReport rope_report(const RopePicture& picture, Index row, Index col, double value);

/// The border above the first row whose position reaches the training length.
std::vector<Mark> rope_marks(const RopePicture& picture);

}  // namespace vqscope
