// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/number_files.h"

#include <cmath>
#include <functional>

namespace vqscope::test {

/// A field of any size and cell type from a function.
class FunctionField : public Field {
 public:
  FunctionField(Extent extent, CellType type, std::function<double(Index, Index)> cell)
      : m_extent(extent), m_type(type), m_cell(std::move(cell)) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return m_type; }
  double at(Index row, Index col) const override { return m_cell(row, col); }
  std::pair<double, double> value_range() const override { return {-1e9, 1e9}; }

 private:
  Extent m_extent;
  CellType m_type;
  std::function<double(Index, Index)> m_cell;
};

/// `distances`: keys behind the query are as far as they are, those ahead by 16 more.
inline const Method& matrix_method() {
  static const Method method{
      .id = "distances",
      .parameters = {{.name = "q_length", .default_value = Index{512}, .minimum = 1, .maximum = 1e6},
                     {.name = "bidirectional", .kind = ParameterKind::boolean, .default_value = true},
                     {.name = "columns",
                      .kind = ParameterKind::choice,
                      .default_value = std::string("key"),
                      .choices = {{"key", ""}, {"dimension", ""}}}},
      .recipe = FieldRecipe{
          .col_name = [](const ParameterValues& values) { return values.choice("columns"); },
          .make = [](const ParameterValues& values, const Work&) -> Result<std::shared_ptr<const Field>> {
            const Index length = values.integer("q_length");
            const auto cell = [](Index q, Index k) { return static_cast<double>(k > q ? 16 + k - q : q - k); };
            return std::shared_ptr<const Field>(
                std::make_shared<FunctionField>(Extent{length, length}, CellType::int32, cell));
          }}};
  return method;
}

/// `lengths`: one point.
inline const Method& curve_method() {
  static const Method method{.id = "lengths",
                             .recipe = CurveRecipe{.make = [](const ParameterValues&, const Work&) -> Result<CurveSet> {
                               return CurveSet{.x_name = "length", .x = {1}, .curves = {{"a", {2}}}};
                             }}};
  return method;
}

inline Numbers field_numbers(Extent extent, CellType type, std::function<double(Index, Index)> cell) {
  auto field = std::make_shared<FunctionField>(extent, type, std::move(cell));
  const Method& method = matrix_method();
  return {.method = &method,
          .values = default_values(method.parameters),
          .data = FieldBlock{field, {{0, extent.rows}, {0, extent.cols}}}};
}

inline Numbers curve_numbers(CurveSet set) {
  const Method& method = curve_method();
  return {.method = &method, .values = default_values(method.parameters), .data = std::move(set)};
}

inline std::string text_of(const Numbers& numbers, NumberFormat format) {
  StringSink sink;
  return write_numbers(numbers, format, sink) ? sink.text() : std::string("failed");
}

/// Refuses to take more than `limit` bytes, as a full disk does.
class FullSink : public ByteSink {
 public:
  explicit FullSink(std::size_t limit) : m_limit(limit) {}
  Result<void> write(std::string_view bytes) override {
    m_used += bytes.size();
    return m_used > m_limit ? Result<void>(Error{Errc::io, "disk full"}) : Result<void>();
  }

 private:
  std::size_t m_limit;
  std::size_t m_used = 0;
};

}  // namespace vqscope::test
