// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/parameter.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Queries and keys of one head before rotation, with their biases added.
struct OwnVectors {
  Index dims = 0;
  std::vector<double> queries = {};  ///< [q_length, dims]
  std::vector<double> keys = {};     ///< [kv_length, dims]
  std::string shown_head = {};       ///< which head of which tensor this is; empty: there is no choice

  std::span<const double> query(Index row) const { return row_of(queries, row); }
  std::span<const double> key(Index row) const { return row_of(keys, row); }

 private:
  std::span<const double> row_of(const std::vector<double>& of, Index row) const {
    return std::span(of).subspan(static_cast<std::size_t>(row * dims), static_cast<std::size_t>(dims));
  }
};

/// `vectors`, `q_tensor`, `k_tensor`, `seed`, `q_bias_vector`, `k_bias_vector`, `head`,
/// `tensor_layout`.
std::vector<ParameterSpec> own_vector_parameters();

/// Reads or samples them. `head_dim` is the size of sampled vectors; tensors have their own. Limits
/// on memory and all that a file can have wrong are errors. Stopped: Errc::cancelled.
Result<OwnVectors> own_vectors(const ParameterValues& values, Index q_length, Index kv_length,
                               const std::stop_token& stop = {});

/// Checks that need no file.
Result<void> check_own_vectors(const ParameterValues& values, Index q_length, Index kv_length);

/// A matrix from a file that a tensor parameter names.
struct TensorMatrix {
  std::string title;  ///< "q_tensor = qk.npz:q is [10, 64]", which errors begin with
  Index rows = 0;     ///< a vector is a column
  Index cols = 0;
  std::vector<float> numbers;  ///< [rows, cols], finite

  std::span<const float> row(Index index) const {
    return std::span(numbers).subspan(static_cast<std::size_t>(index * cols), static_cast<std::size_t>(cols));
  }
};

/// Maximum number of elements.
inline constexpr Index most_matrix_numbers = Index{1} << 25;

/// Reads FILE, FILE:NAME or FILE:NAME[layer,head]. Errors name the parameter, the file and what is
/// allowed.
Result<TensorMatrix> read_tensor_matrix(const std::string& parameter, const std::string& text);

/// RoPE as applied to a vector: R(m) x = x ⊙ cos(m θ) + rot(x) ⊙ sin(m θ), where rot turns each
/// pair by a quarter. What is in no pair stays. A vector of odd size gets a zero at its end.
class Rotation {
 public:
  /// The scaling has passed its check(): its sizes are even.
  Rotation(const RopeScaling& scaling, PairLayout layout);

  /// Size of vectors after rotation.
  Index size() const { return m_size; }

  /// Writes size() numbers. `x` is at most one shorter.
  void apply(std::span<const double> x, Index position, std::span<double> out) const;

  /// cos and sin of a pair at a position, times the attention factor.
  std::pair<double, double> cos_sin(Index pair, Index position) const;

 private:
  Index m_size, m_pairs;
  PairLayout m_layout;
  double m_factor;
  bool m_is_exact;
  std::vector<Turns> m_rates;
  std::vector<float> m_inv_freq;  ///< of hf_float32
};

/// An odd head is rotated with a dummy coordinate at its end.
inline Index even_size(Index dims) { return dims + dims % 2; }

double dot(std::span<const double> a, std::span<const double> b);

/// Positions at which the rows of queries and keys are rotated.
struct RotaryPositions {
  std::vector<Index> q, k;
};

/// Own vectors, the scaling of their rotation, and where they stand.
struct RotarySetting {
  OwnVectors vectors;
  RopeScaling scaling;  ///< of even size
  PairLayout layout = PairLayout::half_split;
  RotaryPositions positions;        ///< as stated
  RotaryPositions wrong_positions;  ///< as position_error looks them up
  double score_scale = 1;
  bool shows_error = false;  ///< scores at wrong positions minus scores at the stated ones
};

/// Lengths, own_vector_parameters(), the scaling, `pair_layout`, `q_position_ids`,
/// `k_position_ids`, `position_error`, `shown` and `divide_by_sqrt`.
std::vector<ParameterSpec> rotary_setting_parameters();
Result<void> check_rotary_setting(const ParameterValues& values);
Result<RotarySetting> rotary_setting(const ParameterValues& values, const std::stop_token& stop = {});

/// Rotated vectors, row by row.
struct RotatedPair {
  Index size = 0;
  std::vector<double> q, k;

  double score(Index row, Index col) const;
};

/// Stopped: not all are rotated.
RotatedPair rotate(const RotarySetting& setting, const RotaryPositions& positions, const std::stop_token& stop);

/// Largest change of a score when `shift` is added to all positions, over at most 32 x 32 cells:
/// rounding errors, as (R_m q)·(R_n k) = q·R_(n-m) k.
double shift_error(const RotarySetting& setting, Index shift);

/// Largest difference between two scores at the same distance, over at most 32 x 32 cells.
double spread_by_distance(const RotarySetting& setting);

}  // namespace vqscope
