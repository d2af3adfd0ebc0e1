// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/npy.h"

#include "core/export/block_reader.h"
#include "core/io/npy/npy_writer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace vqscope {
namespace {

// The dtypes below are little-endian, and cells are written as they are in memory.
static_assert(std::endian::native == std::endian::little);

struct Dtype {
  std::string_view name;
  double bytes;
};

Dtype dtype_of(CellType type) {
  switch (type) {
    case CellType::boolean: return {"|b1", 1};
    case CellType::int32: return {"<i4", 4};
    case CellType::float32: return {"<f4", 4};
  }
  return {};
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

Dtype dtype_of(const FieldBlock& block, const NpyForm& form) {
  if (form.additive && form.additive->float16) return {"<f2", 2};
  if (form.additive) return dtype_of(CellType::float32);
  return dtype_of(form.float32 ? CellType::float32 : block.field->cell_type());
}

std::string block_header(const FieldBlock& block, const NpyForm& form) {
  const Index rows = block.cells.rows.size(), cols = block.cells.cols.size();
  const std::string_view dtype = dtype_of(block, form).name;
  return form.flat ? npy_header(dtype, std::array{rows * cols}) : npy_header(dtype, std::array{rows, cols});
}

std::string curves_header(const CurveSet& set) {
  const auto points = static_cast<Index>(set.x.size());
  if (set.principal) return npy_header("<f8", std::array{points});
  return npy_header("<f8", std::array{points, static_cast<Index>(1 + set.curves.size())});
}

/// Curves are in memory column by column; the file needs rows.
Result<void> write_curve_columns(const CurveSet& set, ByteSink& sink) {
  if (auto written = sink.write(curves_header(set)); !written) return written;
  if (set.principal) return sink.write(bytes_of(std::span<const double>(set.curves[*set.principal].y)));
  std::vector<double> rows;
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    rows.push_back(set.x[i]);
    for (const auto& curve : set.curves) rows.push_back(curve.y[i]);
  }
  return sink.write(bytes_of(std::span<const double>(rows)));
}

/// 0 and the masked number, as they are stored.
template <class Stored>
Result<void> write_masked(const FieldBlock& block, Stored masked, ByteSink& sink, const Work& work) {
  std::vector<Stored> numbers;
  return read_blocks_as<std::uint8_t>(block, work, [&](const Rect&, std::span<const std::uint8_t> cells) {
    numbers.resize(cells.size());
    std::ranges::transform(cells, numbers.begin(), [&](std::uint8_t seen) { return seen != 0 ? Stored{0} : masked; });
    return sink.write(bytes_of(std::span<const Stored>(numbers)));
  });
}

Result<void> write_additive(const FieldBlock& block, const AdditiveNpy& form, ByteSink& sink, const Work& work) {
  constexpr std::uint16_t lowest_half = 0xfbff;  // -65504
  if (form.float16) return write_masked(block, lowest_half, sink, work);
  return write_masked(block, form.masked, sink, work);
}

}  // namespace

Result<void> write_npy(const Numbers& numbers, ByteSink& sink, const Work& work) {
  if (const auto* set = numbers.curves()) return write_curve_columns(*set, sink);
  const FieldBlock& block = *numbers.block();
  if (auto written = sink.write(block_header(block, numbers.npy)); !written) return written;
  if (numbers.npy.additive) return write_additive(block, *numbers.npy.additive, sink, work);
  const auto write = [&](const Rect&, auto cells) { return sink.write(bytes_of(cells)); };
  return numbers.npy.float32 ? read_blocks_as<float>(block, work, write) : read_blocks(block, work, write);
}

double npy_bytes(const Numbers& numbers) {
  if (const auto* set = numbers.curves()) {
    const double columns = set->principal ? 1 : columns_of(*set);
    return static_cast<double>(curves_header(*set).size()) + static_cast<double>(set->x.size()) * columns * 8;
  }
  const FieldBlock& block = *numbers.block();
  return static_cast<double>(block_header(block, numbers.npy).size()) +
         rows_of(block) * cols_of(block) * dtype_of(block, numbers.npy).bytes;
}

}  // namespace vqscope
