// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/numbers.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/method/compared.h"

namespace vqscope {
namespace {

Result<Range> range_within(std::string_view side, Index size, std::optional<Range> range) {
  if (!range) return Range{0, size};
  const std::string name(side);
  const std::string given = fmt::format("{} {}:{}", name, range->begin, range->end);
  const std::string all = fmt::format("the matrix, which has {} 0 to {}", name, size - 1);
  if (range->begin < 0) return invalid("{} begin before {}", given, all);
  if (range->begin >= size) return invalid("{} from {} on are beyond {}", name, range->begin, all);
  if (range->end > size) return invalid("{} reach beyond {}", given, all);
  if (range->begin >= range->end) return invalid(given + " are empty, the end must be above the beginning");
  return *range;
}

Result<Numbers> numbers_of_curves(const ExportJob& job, const Work& work) {
  if (job.cells) return invalid("rows and cols are for matrices, {} is a set of curves", job.method->id);
  if (job.curves) return Numbers{job.method, job.values, {}, *job.curves};
  auto curves = coming_curves(job.coming, *job.method, job.values, work);
  if (!curves) return curves.error();
  return Numbers{job.method, job.values, {}, std::move(*curves)};
}

Result<Numbers> numbers_of_field(const ExportJob& job, const Work& work) {
  auto field = job.field ? Result<std::shared_ptr<const Field>>(job.field)
                         : make_compared_field(*job.method, job.values, job.minus, work);
  if (!field) return field.error();
  const auto whole = std::optional<Range>();
  const auto cells =
      block_within((*field)->extent(), job.cells ? job.cells->rows : whole, job.cells ? job.cells->cols : whole);
  if (!cells) return cells.error();
  return Numbers{job.method, job.values, job.minus, FieldBlock{std::move(*field), *cells}, {}, job.npy};
}

}  // namespace

Result<Rect> block_within(const Extent& extent, std::optional<Range> rows, std::optional<Range> cols) {
  const auto checked_rows = range_within("rows", extent.rows, rows);
  if (!checked_rows) return checked_rows.error();
  const auto checked_cols = range_within("cols", extent.cols, cols);
  if (!checked_cols) return checked_cols.error();
  return Rect{*checked_rows, *checked_cols};
}

Result<Numbers> make_numbers(const ExportJob& job, const Work& work) {
  return guarded([&]() -> Result<Numbers> {
    auto numbers = job.method->curves() ? numbers_of_curves(job, work) : numbers_of_field(job, work);
    if (numbers && job.remark)
      numbers->remark = *job.remark;
    else if (numbers && job.method->remark && !job.minus)
      numbers->remark = job.method->remark(job.values, {.progress = {}, .stop = work.stop});
    if (work.stop.stop_requested()) return cancelled();
    return numbers;
  });
}

}  // namespace vqscope
