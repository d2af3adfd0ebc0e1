// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/numbers_on_budget.h"

#include "core/mask/map/field_on_budget.h"

namespace vqscope {

Result<void> write_numbers_on_budget(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work) {
  const FieldBlock* block = numbers.block();
  if (!block) return write_numbers(numbers, format, sink, work);
  const auto field = std::make_shared<const FieldOnBudget>(block->field, block->cells, most_steps_of_a_file, work.stop);
  Numbers same = numbers;
  same.data = FieldBlock{field, block->cells};
  std::stop_source end;
  const std::stop_callback stopped(work.stop, [&end] { end.request_stop(); });
  const auto progress = [&](double part) {
    if (field->is_beyond()) end.request_stop();
    work.report(part);
  };
  auto written = write_numbers(same, format, sink, {.progress = progress, .stop = end.get_token()});
  if (work.stop.stop_requested()) return cancelled();
  return end.stop_requested() ? field->error() : written;
}

}  // namespace vqscope
