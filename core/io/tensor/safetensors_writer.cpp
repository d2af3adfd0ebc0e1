// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"

#include "core/io/tensor/safetensors_header.h"

#include <array>
#include <bit>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 3> dtypes{"F64", "F32", "I32"};

/// As in memory, which is how the format stores them.
std::string_view bytes_of(const NamedTensor& tensor) {
  static_assert(std::endian::native == std::endian::little);
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
      },
      tensor.values);
}

}  // namespace

Result<void> write_safetensors(std::span<const NamedTensor> tensors, ByteSink& sink) {
  SafetensorsHeader header;
  for (const NamedTensor& tensor : tensors)
    header.add(tensor.name, dtypes[tensor.values.index()], tensor.shape, bytes_of(tensor).size());
  if (auto written = sink.write(header.bytes()); !written) return written;
  for (const NamedTensor& tensor : tensors)
    if (auto written = sink.write(bytes_of(tensor)); !written) return written;
  return {};
}

}  // namespace vqscope
