// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Names a tensor of a file: `q.npy`, `qkv.npz:q`, `batch.pt:layers[0].k[2,-1]`. Dots lead into
/// dictionaries, numbers in brackets into lists and then into the leading dimensions; negative ones
/// count from the end as in Python.
struct TensorName {
  std::string file;
  std::string name;            ///< empty: the only tensor of the file
  std::vector<Index> leading;  ///< the numbers in brackets at the end
  friend bool operator==(const TensorName&, const TensorName&) = default;
};

/// The file is the longest beginning of the text that exists, before a colon or a bracket: a path
/// may contain both. "-" is standard input. Where nothing exists, the file name ends with the
/// extension of a file of tensors.
Result<TensorName> parse_tensor_name(std::string_view text);

/// Whether the path ends as that of a file of tensors.
bool has_tensor_suffix(std::string_view path);

/// The text that parse_tensor_name parses to `name`.
std::string tensor_name_text(const TensorName& name);

/// Name and indices without the file: "layers.0.k[2,-1]".
std::string tensor_path_text(const TensorName& name);

}  // namespace vqscope
