// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/field/cell_summary.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

/// The type to which position · inv_freq is rounded. Runs for every cell: float32 is found once.
const NumberType& product_type(const NumberType& type, RopeRounding rounding) {
  static const NumberType& float32 = number_type("float32");
  return rounding == RopeRounding::everything ? type : float32;
}

double wrapped(double error) {
  constexpr double turn = 2 * std::numbers::pi;
  return std::abs(error) <= std::numbers::pi ? error : std::remainder(error, turn);
}

class RopeErrorField : public Field {
 public:
  RopeErrorField(const RopeScaling& scaling, SequenceLayout layout, const NumberType& type, RopeRounding rounding)
      : m_layout(std::move(layout)),
        m_inv_freq(rope_frequencies(scaling).inv_freq),
        m_type(type),
        m_rounding(rounding) {}

  Extent extent() const override { return {m_layout.q_length(), static_cast<Index>(m_inv_freq.size())}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return std::abs(wrapped(error(m_layout.q_pos(row), col))); }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
  }
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  double error(Index position, Index col) const { return angle_error(position, inv_freq(col), m_type, m_rounding); }
  long double inv_freq(Index col) const { return m_inv_freq[static_cast<std::size_t>(col)]; }

  SequenceLayout m_layout;
  std::vector<long double> m_inv_freq;
  const NumberType& m_type;  ///< of number_types(), which lasts
  RopeRounding m_rounding;
};

void RopeErrorField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        auto* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row) {
          const Index position = m_layout.q_pos(row);
          for (Index col = block.cols.begin; col < block.cols.end; ++col)
            *next++ = static_cast<typename decltype(cells)::value_type>(std::abs(wrapped(error(position, col))));
        }
      },
      out);
}

/// Three roundings at most, each of half a unit in the last place.
std::pair<double, double> RopeErrorField::value_range() const {
  const double last = static_cast<double>(m_layout.past_len() + m_layout.q_length() - 1);
  const double fastest = static_cast<double>(*std::ranges::max_element(m_inv_freq));
  const double unit = std::max(m_type.unit(), product_type(m_type, m_rounding).unit());
  const double reach = std::clamp(4 * unit * last * fastest, 1e-18, std::numbers::pi);
  return {0, reach};
}

CellReport RopeErrorField::report(Index row, Index col) const {
  const Index position = m_layout.q_pos(row);
  const double rounded = rounded_angle(position, inv_freq(col), m_type, m_rounding);
  const double whole = error(position, col);
  CellReport report{{{"q", to_text(row)},
                     {"position", to_text(position)},
                     {"pair", to_text(col)},
                     {"error", to_text(std::abs(wrapped(whole)), 6)}},
                    {}};
  const std::string exact =
      to_text(static_cast<double>(static_cast<long double>(position) * inv_freq(col)), 10) + " rad";
  const std::string& type = m_type.id;
  if (!std::isfinite(rounded)) {
    report.why = fmt::format("position {} is beyond {}: the angle is infinite, its cos NaN", grouped(position), type);
    return report;
  }
  report.why = fmt::format("{} has {} rad for {}: off by {} rad", type, to_text(rounded, 10), exact, to_text(whole, 4));
  if (std::abs(whole) > std::numbers::pi) report.why += ", more than half a turn, so the phase is arbitrary";
  return report;
}

Result<std::shared_ptr<const Field>> make_error_field(const ParameterValues& values, const Work&) {
  auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(std::make_shared<RopeErrorField>(rope_scaling_from(values), std::move(*layout),
                                                                       number_type(values.choice("number_type")),
                                                                       rope_rounding_from(values)));
}

}  // namespace

std::vector<ParameterSpec> rope_error_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : rope_curve_parameters(Index{131072}))
    if (spec.name != "precision") specs.push_back(std::move(spec));
  add_parameter(
      specs, "rounded", "Arithmetic", "Values rounded to the number type.",
      {.default_value = std::string("everything"),
       .choices = {{"everything", "positions, inv_freq and their product: the whole table is computed in that type"},
                   {"inv_freq", "only inv_freq, as in a module that was cast; the rest is float32"}}});
  return specs;
}

RopeRounding rope_rounding_from(const ParameterValues& values) {
  return values.choice("rounded") == "inv_freq" ? RopeRounding::inv_freq : RopeRounding::everything;
}

double rounded_angle(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding) {
  const double frequency = type.rounded(static_cast<double>(inv_freq));
  const NumberType& product = product_type(type, rounding);
  return product.rounded(product.rounded(static_cast<double>(position)) * frequency);
}

double angle_error(Index position, long double inv_freq, const NumberType& type, RopeRounding rounding) {
  const double rounded = rounded_angle(position, inv_freq, type, rounding);
  if (!std::isfinite(rounded)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(static_cast<long double>(rounded) - static_cast<long double>(position) * inv_freq);
}

Method rope_phase_error_method() {
  auto parameters = rope_error_parameters();
  parameters.push_back(number_type_parameter());
  return {
      .id = "rope_phase_error",
      .title = "RoPE phase error",
      .category = "precision",
      .help =
          "Error of the RoPE angle computed in the given number type, against exact arithmetic; at most half a turn.",
      .citation = {"Su et al. 2021, RoFormer, section 3.4, in IEEE 754 arithmetic",
                   "Hugging Face transformers, modeling_rope_utils, as its dtypes make it"},
      .parameters = std::move(parameters),
      .in_force = rope_lengths_in_force,
      .check = check_rope,
      .recipe = FieldRecipe{.row_title = "query q",
                            .col_title = "frequency pair i",
                            .value_title = "size of the error (rad)",
                            .difference = true,
                            .logarithmic = true,
                            .col_name = [](const ParameterValues&) { return std::string("pair"); },
                            .related = {"rope_error_by_position", "position_collisions"},
                            .make = make_error_field}};
}

}  // namespace vqscope
