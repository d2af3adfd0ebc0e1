// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/store/capture_names.h"

#include <string>
#include <vector>

namespace vqscope {

/// Beside the tensors of a dump: which name is which tensor of a layer.
inline constexpr const char* name_map_file = "capture_names.json";

/// Names that a person wrote down: {"blk.{layer}.query": "q", "first_mask": {"tensor": "mask", "layer": 0}}.
class NameMap {
 public:
  /// Errors begin with `path`.
  static Result<NameMap> read(const std::string& text, const std::string& path);
  /// That of a folder; an empty one where it has none.
  static Result<NameMap> of_folder(const std::string& folder);

  std::optional<ForeignTensor> find(std::string_view name) const;

 private:
  /// A name of one tensor, or what stands before and behind the layer's number.
  struct Entry {
    std::string before, behind;
    TensorRole role = TensorRole::q;
    std::optional<Index> layer;
  };

  std::vector<Entry> m_entries;
};

}  // namespace vqscope
