// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/phase_summary.h"
#include "core/encoding/phase/wave_sum.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/field.h"
#include "core/method/parameter.h"
#include "core/method/shared/number_type.h"
#include "core/sequence/sequence_layout.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace vqscope {

/// Waves of B(r) = Σ cos(r · inv_freq) with that scaling, times the square of its attention factor
/// and `amplitude`. It is half of q · k for q = k = ones, rotated: the unit of the curve
/// `rope_score`.
std::vector<Wave> rope_waves(const RopeScaling& scaling, double amplitude = 1);

/// All of the angles that a plain RoPE needs.
inline constexpr std::array<std::string_view, 2> theta_and_dimension{"rope_theta", "head_dim"};

/// Those of rope_scaling_parameters that have one of these names.
std::vector<ParameterSpec> rope_parameters(std::span<const std::string_view> names);

/// The values used for a rotary_dim or seq_len of 0.
ParameterValues rope_lengths_in_force(const ParameterValues& values);

Result<void> check_rope(const ParameterValues& values);

/// The quantity that is rounded to a number type on the way to position · inv_freq.
enum class RopeRounding {
  everything,  ///< positions, inv_freq and their product: the whole table is computed in that type
  inv_freq     ///< inv_freq alone, of a module that was cast; positions and product stay float32
};

/// position · inv_freq in that arithmetic, in radians; infinite where the type has no such number.
double rounded_angle(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding);

/// That angle minus the one of real numbers, in radians, not wrapped. NaN where the angle is
/// infinite.
double angle_error(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding);

/// Lengths, RopeScaling's knobs but its precision, and `rounded`.
std::vector<ParameterSpec> rope_error_parameters();
RopeRounding rope_rounding_from(const ParameterValues& values);

/// Which dimensions of a head a pair is: i and i + half of those that rotate (Hugging Face,
/// GPT-NeoX), 2i and 2i + 1 (Meta, GPT-J), or i and i + half of the head, however few rotate (Gemma
/// 4).
enum class PairLayout { half_split, interleaved, head_split };
ParameterSpec pair_layout_parameter();

/// The id in `pair_layout`; an unknown id is half_split.
std::string_view name_of(PairLayout layout);
PairLayout pair_layout_of(std::string_view id);
/// half_split or interleaved: head_split is the first of them, over the halves of the head.
std::string_view order_of(PairLayout layout);

/// The dimensions of pair `pair` among `pairs`, in a head of `head_dim`; 0: twice `pairs`.
std::pair<Index, Index> dimensions_of(Index pair, Index pairs, PairLayout layout, Index head_dim = 0);

/// How far apart the two dimensions of a pair are; 1 in interleaved pairs.
Index pairs_apart(Index pairs, PairLayout layout, Index head_dim = 0);

/// The pair of a dimension, -1 for one that does not rotate.
Index pair_of(Index dimension, Index pairs, PairLayout layout, Index head_dim = 0);

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

/// [q_length, pairs], or [q_length, head_dim] for columns = dimensions; float32. The scaling has
/// passed its check(). exact: position · inv_freq with real numbers. hf_float32: float32(position)
/// · float32(inv_freq), rounded, and the float cos or sin of that; phases show the rounded angle
/// modulo 2π.
std::shared_ptr<const Field> make_rope_field(RopePicture picture);

/// The report on cell (row, col), which shows `value`.
CellReport rope_report(const RopePicture& picture, Index row, Index col, double value);

/// The border above the first row whose position reaches the training length.
std::vector<Mark> rope_marks(const RopePicture& picture);

}  // namespace vqscope
