// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/method/qkv/qkv_names.h"

#include <QStringList>

#include <vector>

namespace vqscope {

/// "q.npz:q (512, 64)": the file without its folder.
std::string shownTensor(const FileTensor& tensor);

/// The tensors of the files, in their order. Errors name the file.
Result<std::vector<FileTensor>> tensorsOfFiles(const QStringList& paths);

/// Whether the files are queries and keys by their names, and hold no mask by its name.
bool areAttentionTensors(const QStringList& paths);

/// `data`, the names of the tensors and the length of their sequence, as methods that read tensors
/// take them. `leading`: indices of the leading dimensions of the queries; where keys have fewer
/// heads, several heads of the queries share one. Refuses tensors that do not belong together.
Result<ParameterValues> attentionValues(const std::vector<FileTensor>& tensors, const QkvRoles& roles,
                                        const std::vector<Index>& leading);

}  // namespace vqscope
