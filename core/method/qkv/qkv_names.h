// SPDX-License-Identifier: GPL-3.0-or-later
// Queries, keys and values among the tensors of files, by their names.
#pragma once

#include "core/io/tensor/tensor_list.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A tensor of one of several files.
struct FileTensor {
  std::string file;
  ListedTensor tensor;

  /// Whether it can be a matrix of real numbers.
  bool is_usable() const { return tensor.problem.empty() && tensor.shape.size() >= 2; }
};

/// Places of queries, keys and values in a list of tensors.
using QkvRoles = std::array<std::optional<std::size_t>, 3>;

/// The usable tensor of each role, as far as names give it: a word such as q, query_states or k_proj
/// in the name of the tensor, otherwise in that of its file. Of several, one that is called q, k or
/// v and nothing else, else the first. One q_rot and one k_rot go before them: a kernel reads these. A
/// model's weights and masks have no role.
QkvRoles guessed_roles(std::span<const FileTensor> tensors);

/// Whether a tensor that is named as parse_tensor_name takes it is called q_rot or k_rot: RoPE has
/// rotated it already.
bool is_called_rotated(std::string_view tensor);

/// Whether a file holds what an attention function was given, as vqscope.capture writes it: RoPE has
/// rotated its q and k already. The function is told whether it is causal, and the file tells it on.
bool is_of_attention_function(const ByteSource& bytes, std::string_view file);

/// The tensor that is called a mask; of several, the one that is called so and nothing else, or the
/// first. Its dtype need not be real.
std::optional<FileTensor> mask_among(std::span<const FileTensor> tensors);

/// Names of tensors, as parse_tensor_name takes them.
struct QkvNames {
  std::string q, k;
  std::string v;  ///< empty: none
};

/// From `--array qkv=`: one file with q, k and v, a file with one tensor of which q, k and v are
/// the three parts along its first dimension, FILE:PREFIX for names that begin with it, or two or
/// three tensors with commas between, in the order q, k, v unless their names say another.
/// Refuses what is not clear.
Result<QkvNames> find_qkv(std::string_view text);

}  // namespace vqscope
