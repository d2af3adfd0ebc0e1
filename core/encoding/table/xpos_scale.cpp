// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/field/field.h"
#include "core/sequence/query_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 1> scale_names{"head_dim"};
constexpr double largest_float = std::numeric_limits<float>::max();

/// Values beyond float32 become infinite; a plain conversion would be undefined.
float as_float(double value) {
  return value > largest_float ? std::numeric_limits<float>::infinity() : static_cast<float>(value);
}

struct ScaleTable {
  Index rows = 0;
  Index past_len = 0;
  Index origin = 0;         ///< the position whose scale is 1
  double scale_base = 512;  ///< tokens
  bool query = true;
  std::vector<double> zeta;    ///< by pair
  std::vector<double> growth;  ///< ln of what a position multiplies by, by pair

  Index exponent(Index row) const { return past_len + row - origin; }
  double ln(Index row, Index pair) const {
    return growth[static_cast<std::size_t>(pair)] * static_cast<double>(exponent(row));
  }
};

class XposScaleField : public Field {
 public:
  explicit XposScaleField(ScaleTable table) : m_table(std::move(table)) {}

  Extent extent() const override { return {m_table.rows, static_cast<Index>(m_table.zeta.size())}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return std::exp(m_table.ln(row, col)); }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;
  std::vector<Mark> marks() const override;

 private:
  /// Largest and smallest of some rows of a pair, at their ends, and the sum.
  struct Run {
    double low, high, sum;
  };
  Run run_of(Range rows, Index pair) const;
  void summarize_row(const TileGrid& grid, Index i, Summary& out) const;

  ScaleTable m_table;
};

void XposScaleField::read(const Rect& block, CellSpan out) const {
  auto* floats = std::get_if<std::span<float>>(&out);
  if (!floats) return Field::read(block, out);
  float* next = floats->data();
  for (Index row = block.rows.begin; row < block.rows.end; ++row)
    for (Index col = block.cols.begin; col < block.cols.end; ++col) *next++ = as_float(at(row, col));
}

/// From the largest end on, so that neither 0 · ∞ nor ∞ - ∞ can occur.
XposScaleField::Run XposScaleField::run_of(Range rows, Index pair) const {
  const double growth = m_table.growth[static_cast<std::size_t>(pair)];
  const double first = at(rows.begin, pair);
  const double last = at(rows.end - 1, pair);
  const double fall = -std::abs(growth);
  const auto count = static_cast<double>(rows.size());
  return {std::min(first, last), std::max(first, last),
          std::max(first, last) * (std::expm1(fall * count) / std::expm1(fall))};
}

void XposScaleField::summarize_row(const TileGrid& grid, Index i, Summary& out) const {
  for (Index j = 0; j < grid.cols(); ++j) {
    const Rect tile = grid.tile(i, j);
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    double sum = 0;
    for (Index pair = tile.cols.begin; pair < tile.cols.end; ++pair) {
      const Run run = run_of(tile.rows, pair);
      low = std::min(low, run.low);
      high = std::max(high, run.high);
      sum += run.sum;
    }
    const auto at = static_cast<std::size_t>(i * out.cols + j);
    if (!out.min.empty()) out.min[at] = as_float(low);
    if (!out.max.empty()) out.max[at] = as_float(high);
    if (!out.mean.empty()) out.mean[at] = as_float(sum / static_cast<double>(tile.area()));
  }
}

Result<void> XposScaleField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  parallel_for(out.rows, options.threads, [&](Index i) {
    if (!options.stop.stop_requested()) summarize_row(grid, i, out);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

std::pair<double, double> XposScaleField::value_range() const {
  double low = largest_float;
  double high = 0;
  for (Index pair = 0; pair < extent().cols; ++pair) {
    const Run run = run_of({0, m_table.rows}, pair);
    low = std::min(low, run.low);
    high = std::max(high, run.high);
  }
  return {low, std::min(high, largest_float)};
}

/// "3.2 · 10^−57", for what no double may hold.
std::string power_text(double ln) {
  const double log10 = ln / std::numbers::ln10;
  const double whole = std::floor(log10);
  const auto exponent = static_cast<Index>(whole);
  return fmt::format("{} · 10^{}{}", to_text(std::pow(10.0, log10 - whole), 3), exponent < 0 ? "−" : "",
                     std::abs(exponent));
}

CellReport XposScaleField::report(Index row, Index col) const {
  const double ln = m_table.ln(row, col);
  const Index exponent = m_table.exponent(row);
  const double value = std::exp(ln);
  const bool small = value < static_cast<double>(std::numeric_limits<float>::denorm_min()) / 2;
  const bool beyond = value > largest_float || small;
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"position", to_text(m_table.past_len + row)},
                  {"exponent's position", to_text(exponent)},
                  {"pair", to_text(col)},
                  {"ζ", to_text(m_table.zeta[static_cast<std::size_t>(col)], 7)},
                  {"scale", beyond ? power_text(ln) : to_text(value, 7)}};
  const bool negative = (exponent < 0) == m_table.query && exponent != 0;
  report.why = fmt::format("ζ {} to the power {}{}/{}", to_text(m_table.zeta[static_cast<std::size_t>(col)], 6),
                           negative ? "−" : "", grouped(std::abs(exponent)), to_text(m_table.scale_base, 6));
  if (m_table.origin != 0)
    report.why += fmt::format(", position {} less {}", grouped(m_table.past_len + row), grouped(m_table.origin));
  if (beyond)
    report.why += fmt::format("; {} is beyond float32, which has {} instead", power_text(ln), small ? "0" : "infinity");
  return report;
}

std::vector<Mark> XposScaleField::marks() const {
  const Index row = m_table.origin - m_table.past_len;
  if (row <= 0 || row >= m_table.rows) return {};
  return {{Mark::Axis::row, static_cast<double>(row), "scale 1 at position " + grouped(m_table.origin)}};
}

std::vector<ParameterSpec> xpos_scale_parameters() {
  const std::string group = "xPos";
  auto specs = query_parameters(SequenceUse::lengths, 1024);
  for (auto& spec : rope_parameters(scale_names)) {
    spec.group = group;
    specs.push_back(std::move(spec));
  }
  add_parameter(specs, "scale_base", group, "Number of tokens over which pair i is scaled by ζ_i.",
                {.default_value = 512.0, .minimum = 1, .maximum = 1e9, .logarithmic = true, .unit = "tokens"});
  add_parameter(specs, "side", group, "Whether the scale is for queries or keys.",
                {.default_value = std::string("query"),
                 .choices = {{"query", "queries: ζ^(p / scale_base)"}, {"key", "keys: ζ^(−p / scale_base)"}}});
  add_parameter(specs, "scale_origin", group, "Position at which the scale is 1; scores do not depend on it.",
                {.default_value = std::string("centred"),
                 .choices = {{"centred", "half the sequence, rounded up, as torchscale: p = position − ⌈T / 2⌉"},
                             {"zero", "the first: p = position, as the paper writes it"}}});
  return specs;
}

Result<std::shared_ptr<const Field>> make_xpos_scale(const ParameterValues& values, const Work&) {
  const Index d = values.integer("head_dim");
  const Index length = values.integer("q_length") + values.integer("past_len");
  ScaleTable table{.rows = values.integer("q_length"),
                   .past_len = values.integer("past_len"),
                   .origin = values.choice("scale_origin") == "centred" ? length / 2 + length % 2 : 0,
                   .scale_base = values.real("scale_base"),
                   .query = values.choice("side") == "query",
                   .zeta = {},
                   .growth = {}};
  for (Index i = 0; i < d / 2; ++i) {
    table.zeta.push_back(xpos_zeta(i, d));
    table.growth.push_back((table.query ? 1 : -1) * std::log(table.zeta.back()) / table.scale_base);
  }
  return std::shared_ptr<const Field>(std::make_shared<XposScaleField>(std::move(table)));
}

}  // namespace

double xpos_zeta(Index pair, Index d) {
  return (2 * static_cast<double>(pair) + 0.4 * static_cast<double>(d)) / (1.4 * static_cast<double>(d));
}

Method xpos_scale_method() {
  return {.id = "xpos_scale",
          .title = "xPos scale",
          .category = "tables",
          .help = "Scale by which xPos multiplies each rotated pair of a query or key.",
          .citation = {"Sun et al. 2023, A Length-Extrapolatable Transformer, section 2.2",
                       "microsoft/torchscale, component/xpos_relative_position.py"},
          .parameters = xpos_scale_parameters(),
          .check = [](const ParameterValues& values) { return check_even("head_dim", values); },
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "frequency pair i",
                                .value_title = "scale",
                                .col_name = [](const ParameterValues&) { return std::string("pair"); },
                                .make = make_xpos_scale}};
}

}  // namespace vqscope
