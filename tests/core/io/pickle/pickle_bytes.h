// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/io/tensor/tensor_bytes.h"

#include <string>
#include <vector>

namespace vqscope::test {

inline std::string pickled_text(const std::string& text) { return "X" + number_bytes(text.size(), 4) + text; }

inline std::string pickled_number(std::int64_t number) {
  return "\x8a\x08" + number_bytes(static_cast<std::uint64_t>(number), 8);
}

inline std::string pickled_tuple(const std::vector<std::int64_t>& numbers) {
  std::string bytes = "(";
  for (const auto number : numbers) bytes += pickled_number(number);
  return bytes + "t";
}

/// What makes a tensor of a storage "0" of `count` elements.
inline std::string pickled_tensor(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                                  std::int64_t first = 0, std::int64_t count = 4,
                                  const std::string& type = "FloatStorage") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled_text("storage") + "ctorch\n" + type + "\n" +
         pickled_text("0") + pickled_text("cpu") + pickled_number(count) + "tQ" + pickled_number(first) +
         pickled_tuple(shape) + pickled_tuple(strides) + "\x89" + "ccollections\nOrderedDict\n)RtR";
}

/// The same of a storage of bytes, with the dtype beside it.
inline std::string pickled_tensor_of_bytes(const std::string& dtype, const std::vector<std::int64_t>& shape) {
  return "ctorch._utils\n_rebuild_tensor_v3\n((" + pickled_text("storage") + "ctorch.storage\nUntypedStorage\n" +
         pickled_text("0") + pickled_text("cpu") + pickled_number(8) + "tQ" + pickled_number(0) + pickled_tuple(shape) +
         pickled_tuple({1}) + "\x89" + "ccollections\nOrderedDict\n)Rctorch\n" + dtype + "\ntR";
}

/// A protocol, the opcodes and the end.
inline std::string pickled(const std::string& opcodes) { return "\x80\x02" + opcodes + "."; }

/// What torch.save writes: the pickle, and the data of storage "0".
inline std::string torch_archive(const std::string& pickle, const std::string& data, const std::string& order = "") {
  ZipBytes zip;
  zip.add("archive/data.pkl", pickle, false);
  zip.add("archive/data/0", data, false);
  if (!order.empty()) zip.add("archive/byteorder", order, false);
  return zip.bytes();
}

}  // namespace vqscope::test
