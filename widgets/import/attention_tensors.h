// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_list.h"
#include "core/method/parameter.h"

#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace vqscope {

/// A tensor of one of several files.
struct FileTensor {
  std::string file;
  ListedTensor tensor;

  /// Whether it can be a matrix of real numbers.
  bool isUsable() const { return tensor.problem.empty() && tensor.shape.size() >= 2; }
};

/// "q.npz:q (512, 64)": the file without its folder.
std::string shownTensor(const FileTensor& tensor);

/// The tensors of the files, in their order. Errors name the file.
Result<std::vector<FileTensor>> tensorsOfFiles(const QStringList& paths);

/// Places of queries, keys and values in a list of tensors.
using AttentionRoles = std::array<std::optional<std::size_t>, 3>;

/// The first usable tensor of each role, as far as names give it: a word such as q, query or keys
/// in the name of the tensor, otherwise in that of its file.
AttentionRoles guessedRoles(const std::vector<FileTensor>& tensors);

/// Whether the files are queries and keys by their names, and hold no mask by its name.
bool areAttentionTensors(const QStringList& paths);

/// `data`, the names of the tensors and the length of their sequence, as methods that read tensors
/// take them. `leading`: indices of the leading dimensions of the queries; where keys have fewer
/// heads, several heads of the queries share one. Refuses tensors that do not belong together.
Result<ParameterValues> attentionValues(const std::vector<FileTensor>& tensors, const AttentionRoles& roles,
                                        const std::vector<Index>& leading);

}  // namespace vqscope
