// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/pickle/pickle_value.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A tensor, or a list of numbers, with the path that leads to it: "a.b[0]"; empty: the pickle is one tensor.
struct PickledLeaf {
  std::string path;
  PickleRef value = 0;
};

/// All tensors within a value, in the order of the pickle. Refuses values that are nested deep, or
/// that occur at too many places. `with_lists`: also the lists of numbers of the outermost
/// dictionary, as a collator without tensors returns them.
Result<std::vector<PickledLeaf>> tensors_in(const Pickle& pickle, PickleRef value, const std::string& path = {},
                                            bool with_lists = false);

/// A value found by its path, and the indices after it: "a.b[0][2]" may be element 2 of a tensor.
struct PickledPlace {
  PickleRef value = 0;
  std::string path;
  std::vector<Index> leading;
};

/// Follows the path: keys with dots before shorter ones, then lists, then dimensions of a tensor.
/// Nothing if it leads nowhere.
std::optional<PickledPlace> find_path(const Pickle& pickle, const std::string& path);

/// "a text", "a number": what a value is that is no tensor.
std::string kind_words(const PickleValue& value);

}  // namespace vqscope
