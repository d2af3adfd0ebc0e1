// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/pickle/pickle_value.h"

#include <memory>
#include <optional>

namespace vqscope {

/// Numbers of a pickle as an array: int64, float64 or bool.
struct NumberList {
  std::shared_ptr<const ByteSource> bytes;
  NpyHeader header;
};

/// A list of numbers, or of lists of numbers of equal length; nothing for other values.
std::optional<NumberList> number_list(const Pickle& pickle, PickleRef value);

}  // namespace vqscope
