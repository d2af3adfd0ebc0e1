// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/phase_summary.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/field/field.h"
#include "core/sequence/query_layout.h"

#include <cmath>

namespace vqscope {
namespace {

long double base_of(const ParameterValues& values) {
  if (const double given = values.real("beta"); given != 0) return given;
  return rope_beta(values.real("rope_theta"), values.integer("head_dim"));
}

class BetaAryField : public Field {
 public:
  BetaAryField(SequenceLayout layout, Index digits, long double beta) : m_layout(std::move(layout)), m_beta(beta) {
    for (Index m = 0; m < digits; ++m) m_powers.push_back(beta_power(beta, m));
  }

  Extent extent() const override { return {m_layout.q_length(), static_cast<Index>(m_powers.size())}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return digit(static_cast<long double>(m_layout.q_pos(row)), col); }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override { return {0, static_cast<double>(m_beta)}; }
  CellReport report(Index row, Index col) const override;

 private:
  double digit(long double position, Index col) const;

  SequenceLayout m_layout;
  long double m_beta;
  std::vector<long double> m_powers;  ///< β^(m-1)
};

/// beta_digit() with its power known, and without the division where nothing is left of it.
double BetaAryField::digit(long double position, Index col) const {
  const long double shifted = std::floor(position / m_powers[static_cast<std::size_t>(col)]);
  return static_cast<double>(shifted < m_beta ? shifted : std::fmod(shifted, m_beta));
}

void BetaAryField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        Cell* next = cells.data();
        for_each_position_run(m_layout.q_runs(), block.rows, [&](const PositionRun& run) {
          for (Index k = 0; k < run.count; ++k) {
            const auto position = static_cast<long double>(run.constant ? run.position : run.position + k);
            for (Index col = block.cols.begin; col < block.cols.end; ++col)
              *next++ = static_cast<Cell>(digit(position, col));
          }
        });
      },
      out);
}

CellReport BetaAryField::report(Index row, Index col) const {
  const Index position = m_layout.q_pos(row);
  const long double power = m_powers[static_cast<std::size_t>(col)];
  const auto shifted = static_cast<double>(std::floor(static_cast<long double>(position) / power));
  const std::string beta = to_text(static_cast<double>(m_beta), 6);
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"position", to_text(position)},
                  {"digit", to_text(col + 1)},
                  {"changes every", to_text(static_cast<double>(power), 6) + " tokens"},
                  {"value", to_text(at(row, col), 7)}};
  report.why = fmt::format("floor({} / {}^{}) = {}, modulo {} is {}", grouped(position), beta, col, plain_text(shifted),
                           beta, to_text(at(row, col), 7));
  if (!m_layout.q_valid(row)) report.why += padding_note;
  return report;
}

std::vector<ParameterSpec> beta_ary_parameters() {
  const std::string group = "Digits";
  auto specs = query_parameters(SequenceUse::positions, 1024);
  for (auto& spec : rope_parameters(theta_and_dimension)) {
    spec.group = group;
    specs.push_back(std::move(spec));
  }
  add_parameter(specs, "beta", group, "Base of the digits; 10 gives decimal digits. Must be above 1.",
                {.label = "β",
                 .default_value = 0.0,
                 .minimum = 0,
                 .maximum = 1e6,
                 .logarithmic = true,
                 .automatic = "rope_theta^(2/head_dim)"});
  return specs;
}

Result<void> check_beta_ary(const ParameterValues& values) {
  const double given = values.real("beta");
  if (given != 0 && given <= 1)
    return invalid("beta is {} but must be above 1, or 0 for rope_theta^(2/head_dim)", to_text(given));
  if (given == 0 && values.real("rope_theta") <= 1)
    return invalid("rope_theta is {} but must be above 1", plain_text(values.real("rope_theta")));
  return check_even("head_dim", values);
}

Result<std::shared_ptr<const Field>> make_beta_ary(const ParameterValues& values, const Work&) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(
      std::make_shared<BetaAryField>(*layout, values.integer("head_dim") / 2, base_of(values)));
}

ParameterValues in_force(const ParameterValues& values) {
  ParameterValues used;
  used.set("beta", static_cast<double>(base_of(values)));
  return used;
}

}  // namespace

Method beta_ary_method() {
  return {.id = "beta_ary",
          .title = "β-ary digits",
          .category = "tables",
          .help = "The digits of a position in the base that RoPE's frequencies are powers of, lowest first.",
          .citation = {"Su 2023, Transformer Upgrade Path 10: RoPE is a β-ary encoding",
                       "none compared: the formula of the article"},
          .traits =
              EncodingTraits{
                  .relative = true,
                  .extrapolation = "That of RoPE, which it explains: interpolation changes all digits, a "
                                   "larger base only where they carry (Su 2023).",
                  .note = {.trade_off = "RoPE read as a number system: low digits tell neighbours apart and must keep "
                                        "their resolution, high digits must not exceed the values seen in training."}},
          .parameters = beta_ary_parameters(),
          .in_force = in_force,
          .check = check_beta_ary,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "digit, lowest first",
                                .value_title = "digit",
                                .col_name = [](const ParameterValues&) { return std::string("digit"); },
                                .make = make_beta_ary}};
}

}  // namespace vqscope
