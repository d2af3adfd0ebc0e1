// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/tensor_role.h"

namespace vqscope {

std::string_view name_of(TensorRole role) {
  static constexpr std::array<std::string_view, tensor_roles.size()> names{
      "hidden_in", "q_proj", "k_proj", "q",       "k",   "v",          "q_rot",        "k_rot", "mask",
      "bias",      "raw",    "scores", "weights", "out", "hidden_out", "position_ids", "cos",   "sin"};
  return names[static_cast<std::size_t>(role)];
}

std::optional<TensorRole> tensor_role_of(std::string_view name) {
  for (const TensorRole role : tensor_roles)
    if (name_of(role) == name) return role;
  return std::nullopt;
}

TensorAxes axes_of(TensorRole role) {
  if (role == TensorRole::hidden_in || role == TensorRole::hidden_out) return TensorAxes::rows;
  if (role >= TensorRole::mask && role <= TensorRole::weights) return TensorAxes::cells;
  return role >= TensorRole::position_ids ? TensorAxes::other : TensorAxes::vectors;
}

bool is_of_keys(TensorRole role) {
  return role == TensorRole::k_proj || role == TensorRole::k || role == TensorRole::v || role == TensorRole::k_rot;
}

}  // namespace vqscope
