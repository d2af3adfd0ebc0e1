// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/streamed_tensor.h"

#include "core/io/npy/npy_writer.h"
#include "core/io/tensor/safetensors_header.h"
#include "core/io/zip/zip_writer.h"

namespace vqscope {

std::uint64_t StreamedTensor::bytes() const {
  std::uint64_t count = sizeof(std::int32_t);
  for (const Index size : shape) count *= static_cast<std::uint64_t>(size);
  return count;
}

Result<void> write_npz(std::span<const StreamedTensor> tensors, ByteSink& sink) {
  std::vector<ZipPart> parts;
  for (const StreamedTensor& tensor : tensors) {
    const std::string header = npy_header("<i4", tensor.shape);
    parts.push_back({.name = tensor.name + ".npy",
                     .size = header.size() + tensor.bytes(),
                     .write = [header, &tensor](ByteSink& to) -> Result<void> {
                       auto written = to.write(header);
                       return written ? tensor.write(to) : written;
                     }});
  }
  return write_zip(parts, sink);
}

Result<void> write_streamed_safetensors(std::span<const StreamedTensor> tensors, ByteSink& sink) {
  SafetensorsHeader header;
  for (const StreamedTensor& tensor : tensors) header.add(tensor.name, "I32", tensor.shape, tensor.bytes());
  if (auto written = sink.write(header.bytes()); !written) return written;
  for (const StreamedTensor& tensor : tensors)
    if (auto written = tensor.write(sink); !written) return written;
  return {};
}

}  // namespace vqscope
