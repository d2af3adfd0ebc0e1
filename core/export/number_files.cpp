// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/number_files.h"

#include "core/base/guard.h"
#include "core/export/csv.h"
#include "core/export/json.h"
#include "core/export/npy.h"

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

}  // namespace vqscope
