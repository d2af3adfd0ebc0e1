// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/tensor/listed_tensor.h"
#include "core/io/tensor/tensor_use.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The tensors of `file`, whose path is used in errors, in the order of their data. A tensor that cannot be read for
/// `use` is listed with the others.
Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use = TensorUse::numbers);

}  // namespace vqscope
