// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <string>
#include <vector>

namespace vqscope::test {

template <class T>
std::string bytes_of_values(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// An NPY file with any dictionary, as given.
inline std::string npy_file(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int shift = 0; shift < (version == 1 ? 16 : 32); shift += 8)
    file += static_cast<char>(dictionary.size() >> shift);
  return file + dictionary + data;
}

inline std::string npy_array(const std::string& descr, const std::vector<Index>& shape, const std::string& data,
                             bool fortran = false) {
  std::string sizes;
  for (const Index size : shape) sizes += to_text(size) + ",";
  std::string dictionary =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" + sizes + "), }";
  dictionary.resize(117, ' ');
  return npy_file(dictionary + "\n", data);
}

}  // namespace vqscope::test
