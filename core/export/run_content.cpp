// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/run_content.h"

#include "core/io/npy/npy_writer.h"

namespace vqscope {

Result<void> write_run_content(const RunContent& content, ByteSink& sink, const std::stop_token& stop) {
  if (const auto* text = std::get_if<std::string>(&content)) return sink.write(*text);
  if (const auto* tensors = std::get_if<std::vector<NamedTensor>>(&content)) return write_safetensors(*tensors, sink);
  const auto& tensor = std::get<Tensor>(content);
  return write_npy(tensor.shape, tensor.values, sink, {{}, stop});
}

}  // namespace vqscope
