// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vqscope {

/// What a tensor of a capture is, in the order in which a layer makes them; `raw` is q · k alone.
/// The last three are given to the rotation.
enum class TensorRole {
  hidden_in,
  q_proj,
  k_proj,
  q,
  k,
  v,
  q_rot,
  k_rot,
  mask,
  bias,
  raw,
  scores,
  weights,
  out,
  hidden_out,
  position_ids,
  cos,
  sin
};

inline constexpr std::array tensor_roles{
    TensorRole::hidden_in, TensorRole::q_proj, TensorRole::k_proj,     TensorRole::q,
    TensorRole::k,         TensorRole::v,      TensorRole::q_rot,      TensorRole::k_rot,
    TensorRole::mask,      TensorRole::bias,   TensorRole::raw,        TensorRole::scores,
    TensorRole::weights,   TensorRole::out,    TensorRole::hidden_out, TensorRole::position_ids,
    TensorRole::cos,       TensorRole::sin};

/// Its name in a capture: "q_rot".
std::string_view name_of(TensorRole role);
std::optional<TensorRole> tensor_role_of(std::string_view name);

/// How the axes of a tensor are read: [B, heads, T, d], [B, heads, Tq, Tk], or [B, T, D] without heads.
enum class TensorAxes { vectors, cells, rows, other };
TensorAxes axes_of(TensorRole role);

/// Whether its heads are those of the keys.
bool is_of_keys(TensorRole role);

}  // namespace vqscope
