// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/pickle/pickle_value.h"

#include <memory>
#include <optional>

namespace vqscope {

/// Numbers of a pickle as an array: int64, float64 or bool.
struct NumberList {
  std::shared_ptr<const ByteSource> bytes;  ///< null: the lists differ in length
  NpyHeader header;
};

/// Numbers and lists that are looked at.
inline constexpr std::size_t most_listed_numbers = std::size_t{1} << 21;

/// Whether a value is a list of numbers, or of lists of numbers. Takes what it looks at off the
/// budget: shared lists are not looked at without end.
bool holds_numbers(const Pickle& pickle, PickleRef value, std::size_t& budget);

/// A list of numbers, or of lists of numbers of equal length; nothing for other values.
std::optional<NumberList> number_list(const Pickle& pickle, PickleRef value);

}  // namespace vqscope
