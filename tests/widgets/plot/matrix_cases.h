// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/registry.h"
#include "widgets/plot/matrix_picture.h"

#include <atomic>

namespace vqscope::test {

/// Defaults of a method with some values set.
inline ParameterValues valuesOf(const char* id, const ParameterValues::Map& set) {
  return default_values(find_method(id)->parameters, set);
}

/// A method's whole matrix on so many pixels.
inline PictureRequest requestOf(const char* id, const ParameterValues::Map& set, QSize pixels) {
  const Method& method = *find_method(id);
  const auto values = valuesOf(id, set);
  const auto field = make_field(method, values).value();
  return {field, wholeRange(*field), pixels, Aggregate::mean, colourScale(method, field, values, {}, false)};
}

/// One where the column is the row's: each query sees itself alone.
inline PictureRequest identity(Index length, QSize pixels) {
  return requestOf("visibility",
                   {{"mask", std::string("sliding_window")}, {"sliding_window", Index{1}}, {"q_length", length}},
                   pixels);
}

/// A field without a closed form, whose cells are counted as they are looked at.
class CountedField : public Field {
 public:
  explicit CountedField(Extent extent) : m_extent(extent) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    ++visited;
    return static_cast<double>(row * 7 + col);
  }
  std::pair<double, double> value_range() const override { return {0, 1000}; }

  mutable std::atomic<Index> visited = 0;

 private:
  Extent m_extent;
};

}  // namespace vqscope::test
