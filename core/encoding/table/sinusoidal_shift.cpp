// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/field/field.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

struct ShiftMatrix {
  Index d_model;
  Index shift;
  PairLayout layout;
  std::vector<Turns> rates;

  Index pair(Index dimension) const { return pair_of(dimension, d_model / 2, layout); }
  bool is_sine(Index dimension) const { return dimensions_of(pair(dimension), d_model / 2, layout).first == dimension; }
  Turns angle(Index pair, Index position) const {
    return static_cast<Turns>(position) * rates[static_cast<std::size_t>(pair)];
  }
  /// Entry at row and column: sin(a + s) = cos s · sin a + sin s · cos a, cos(a + s) = -sin s · sin
  /// a + cos s · cos a.
  double at(Index row, Index col) const {
    if (pair(row) != pair(col)) return 0;
    const Turns turned = angle(pair(row), shift);
    if (row == col) return cosine(turned);
    return is_sine(row) ? sine(turned) : -sine(turned);
  }
  double encoding(Index position, Index dimension) const {
    const Turns at = angle(pair(dimension), position);
    return is_sine(dimension) ? sine(at) : cosine(at);
  }
  /// Largest |M PE(pos) - PE(pos + shift)| over `positions` positions.
  double error(Index positions, const std::stop_token& stop) const;
};

double ShiftMatrix::error(Index positions, const std::stop_token& stop) const {
  double largest = 0;
  for (Index position = 0; position < positions && !stop.stop_requested(); ++position)
    for (Index row = 0; row < d_model; ++row) {
      const auto [first, second] = dimensions_of(pair(row), d_model / 2, layout);
      const double mapped = at(row, first) * encoding(position, first) + at(row, second) * encoding(position, second);
      largest = std::max(largest, std::abs(mapped - encoding(position + shift, row)));
    }
  return largest;
}

ShiftMatrix shift_matrix(const ParameterValues& values) {
  const Index d = values.integer("d_model");
  return {.d_model = d,
          .shift = values.integer("shift"),
          .layout = pair_layout_of(values.choice("layout")),
          .rates = turns_of(rope_frequencies({.head_dim = d, .rope_theta = values.real("base")}).inv_freq)};
}

class ShiftField : public Field {
 public:
  explicit ShiftField(ShiftMatrix matrix) : m_matrix(std::move(matrix)) {}

  Extent extent() const override { return {m_matrix.d_model, m_matrix.d_model}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return m_matrix.at(row, col); }
  double cell_cost() const override { return 4; }
  std::pair<double, double> value_range() const override { return {-1, 1}; }
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override {
    return {{"max_error", m_matrix.error(1024, stop)}};
  }
  CellReport report(Index row, Index col) const override;

 private:
  ShiftMatrix m_matrix;
};

CellReport ShiftField::report(Index row, Index col) const {
  CellReport report;
  const Index pair = m_matrix.pair(row);
  report.facts = {{"row", to_text(row)}, {"column", to_text(col)}, {"value", to_text(at(row, col), 7)}};
  if (pair != m_matrix.pair(col))
    report.why = "dimensions of different pairs: 0";
  else
    report.why = fmt::format("pair {} turns by {} rad over {} positions", pair,
                             to_text(radians(m_matrix.angle(pair, m_matrix.shift)), 6), grouped(m_matrix.shift));
  return report;
}

std::vector<ParameterSpec> shift_parameters() {
  const std::string group = "Sinusoidal";
  return {
      make_parameter("shift", group, "Number of positions between the two rows of the table.",
                     {.label = "Shift k",
                      .default_value = Index{8},
                      .minimum = -1048576,
                      .maximum = 1048576,
                      .playable = false,
                      .unit = "positions"}),
      make_parameter("d_model", group, "Number of dimensions of the encoding. Must be even.",
                     {.default_value = Index{64}, .minimum = 2, .maximum = 4096, .logarithmic = true}),
      make_parameter("base", group, "Pair i turns by base^(-2i/d_model) radians per position. Must be above 1.",
                     {.default_value = 10000.0, .minimum = 1, .maximum = 1e12, .logarithmic = true}),
      make_parameter("layout", group, "Order of the sines and cosines.",
                     {.default_value = std::string("interleaved"),
                      .choices = {{"interleaved", "sin, cos, sin, cos: Vaswani et al."},
                                  {"concatenated", "all sines, then all cosines: RoFormer's code, Transformer-XL"}}})};
}

Result<void> check_shift(const ParameterValues& values) {
  if (values.real("base") <= 1) return invalid("base is {} but must be above 1", plain_text(values.real("base")));
  return check_even("d_model", values);
}

std::string remark_shift(const ParameterValues& values, const Work& work) {
  const double error = shift_matrix(values).error(256, work.stop);
  if (work.stop.stop_requested()) return {};
  return fmt::format(
      "One matrix maps row pos to row pos + {} of the table at every position: it differs by at most {} over 256 "
      "positions. So a head can learn to look a fixed number of tokens back.",
      values.integer("shift"), to_text(error, 2));
}

}  // namespace

Method sinusoidal_shift_method() {
  return {
      .id = "sinusoidal_shift",
      .title = "Sinusoidal shift",
      .category = "tables",
      .help = "The rotation that maps the sinusoidal encoding of any position to that of the position k further on.",
      .citation = {"Vaswani et al. 2017, Attention Is All You Need, section 3.5",
                   "none compared: the addition theorems of sine and cosine"},
      .parameters = shift_parameters(),
      .check = check_shift,
      .remark = remark_shift,
      .recipe =
          FieldRecipe{.row_title = "dimension at pos + k",
                      .col_title = "dimension at pos",
                      .value_title = "value",
                      .scale = ValueScale::diverging,
                      .row_name = "dimension",
                      .col_name = [](const ParameterValues&) { return std::string("dimension"); },
                      .make = [](const ParameterValues& values, const Work&) -> Result<std::shared_ptr<const Field>> {
                        return std::shared_ptr<const Field>(std::make_shared<ShiftField>(shift_matrix(values)));
                      }}};
}

}  // namespace vqscope
