// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/methods.h"
#include "core/field/field.h"
#include "core/method/method_list.h"
#include "tests/support/field_checks.h"

#include <cmath>
#include <limits>

namespace vqscope::test {

/// A registered method with some of its values set, those that values bring along among them.
inline Result<std::shared_ptr<const Field>> table_result(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), id);
  ParameterValues values = default_values(method.parameters, set);
  for (const auto& spec : parameters_of(method, values))
    if (!values.find(spec.name)) values.set(spec.name, spec.default_value);
  return make_field(method, values);
}

inline std::shared_ptr<const Field> table(const char* id, const ParameterValues::Map& set) {
  return table_result(id, set).value();
}

/// Both NaN, both the same infinity, or apart by no more than `allowed` of 1 or of what is wanted.
inline bool is_near(double got, double wanted, double allowed) {
  if (std::isnan(wanted) || std::isinf(wanted)) return std::isnan(wanted) ? std::isnan(got) : got == wanted;
  return std::abs(got - wanted) <= allowed * std::max(1.0, std::abs(wanted));
}

/// How at(), read() or summarize() differ from the definition within the tile grid; empty: they
/// agree. Cells of no value are NaN; cells are right to `allowed`, tiles to float32's rounding.
template <class Definition>
std::string table_differs(const Field& field, const TileGrid& grid, const Definition& definition, double allowed) {
  Summary summary;
  if (!field.summarize(grid, {}, summary)) return "cancelled";
  if (!summary.exact) return "not exact";
  const auto apart = [](const std::string& what, double got, double wanted) {
    return what + ": got " + to_text(got) + ", expected " + to_text(wanted);
  };
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      std::vector<double> cells(static_cast<std::size_t>(tile.area()), -777);
      std::vector<float> floats(cells.size(), -777);
      field.read(tile, std::span(cells));
      field.read(tile, std::span(floats));
      double low = std::numeric_limits<double>::quiet_NaN();
      double high = low;
      double sum = 0;
      double count = 0;
      std::size_t next = 0;
      for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
        for (Index col = tile.cols.begin; col < tile.cols.end; ++col, ++next) {
          const double wanted = definition(row, col);
          if (!is_near(field.at(row, col), wanted, allowed))
            return apart("at " + cell_name(row, col), field.at(row, col), wanted);
          if (!is_near(cells[next], wanted, allowed)) return apart("read " + cell_name(row, col), cells[next], wanted);
          if (!is_near(static_cast<double>(floats[next]), wanted, 1e-6))
            return apart("float " + cell_name(row, col), static_cast<double>(floats[next]), wanted);
          if (std::isnan(wanted)) continue;
          low = std::fmin(low, wanted);
          high = std::fmax(high, wanted);
          sum += wanted;
          ++count;
        }
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const std::string where = " of the tile at " + cell_name(tile.rows.begin, tile.cols.begin);
      if (!is_near(static_cast<double>(summary.mean[at]), sum / count, 1e-6))
        return apart("mean" + where, static_cast<double>(summary.mean[at]), sum / count);
      if (!is_near(static_cast<double>(summary.min[at]), low, 1e-6))
        return apart("min" + where, static_cast<double>(summary.min[at]), low);
      if (!is_near(static_cast<double>(summary.max[at]), high, 1e-6))
        return apart("max" + where, static_cast<double>(summary.max[at]), high);
    }
  return {};
}

}  // namespace vqscope::test
