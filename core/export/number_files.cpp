// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/number_files.h"

#include "core/base/guard.h"
#include "core/export/csv.h"
#include "core/export/json.h"
#include "core/export/npy.h"
#include "core/io/npy/npy_writer.h"

namespace vqscope {

Result<void> write_numbers(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work) {
  return guarded([&]() -> Result<void> {
    switch (format) {
      case NumberFormat::csv: return write_csv(numbers, sink, work);
      case NumberFormat::npy: return write_npy(numbers, sink, work);
      case NumberFormat::json: return write_json(numbers, sink, work);
    }
    return {};
  });
}

double estimated_bytes(const Numbers& numbers, NumberFormat format) {
  switch (format) {
    case NumberFormat::csv: return csv_bytes(numbers);
    case NumberFormat::npy: return npy_bytes(numbers);
    case NumberFormat::json: return json_bytes(numbers);
  }
  return 0;
}

Result<void> write_run_content(const RunContent& content, ByteSink& sink, const std::stop_token& stop) {
  if (const auto* text = std::get_if<std::string>(&content)) return sink.write(*text);
  if (const auto* tensors = std::get_if<std::vector<NamedTensor>>(&content)) return write_safetensors(*tensors, sink);
  const auto& tensor = std::get<Tensor>(content);
  return write_npy(tensor.shape, tensor.values, sink, {{}, stop});
}

}  // namespace vqscope
