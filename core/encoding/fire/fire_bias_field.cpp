// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/fire/fire_network.h"
#include "core/encoding/relative_method.h"
#include "core/field/block_walk.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"
#include "core/sequence/query_layout.h"

#include <algorithm>

namespace vqscope {
namespace {

class FireField : public Field {
 public:
  FireField(Extent extent, Index past_len, FireNetwork network)
      : m_extent(extent), m_past_len(past_len), m_network(std::move(network)), m_range(m_network.range()) {}

  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    const Index position = m_past_len + row;
    if (col > position) return no_value;
    return m_network.bias(static_cast<double>(position), static_cast<double>(position - col));
  }
  void read(const Rect& block, CellSpan out) const override;
  /// A logarithm and the whole network.
  double cell_cost() const override { return 8 + static_cast<double>(m_network.hidden.size()) / 4; }
  std::pair<double, double> value_range() const override { return m_range; }
  CellReport report(Index row, Index col) const override;

 private:
  Extent m_extent;
  Index m_past_len;
  FireNetwork m_network;
  std::pair<double, double> m_range;
};

void FireField::read(const Rect& block, CellSpan out) const {
  read_rows(block, out, [&](Index row) {
    const Index position = m_past_len + row;
    return [this, position, scale = m_network.scale(static_cast<double>(position))](Index col) {
      return col > position ? no_value : m_network.of_normalised(scale.normalised(static_cast<double>(position - col)));
    };
  });
}

CellReport FireField::report(Index row, Index col) const {
  const Index position = m_past_len + row;
  CellReport report;
  report.facts = {{"q", to_text(row)}, {"k", to_text(col)}, {"q_pos", to_text(position)}};
  if (col > position) {
    report.why = place_text(col - position) + ", where FIRE has no bias: the causal mask hides it";
    return report;
  }
  const auto distance = static_cast<double>(position - col);
  const FireScale<double> scale = m_network.scale(static_cast<double>(position));
  report.facts.insert(report.facts.end(), {{"distance", to_text(position - col)},
                                           {"normalised distance x", to_text(scale.normalised(distance), 7)},
                                           {"value", to_text(at(row, col), 7)}});
  const std::string c = to_text(m_network.c, 6), reach = to_text(scale.reach, 6);
  report.why = fmt::format("{}: x = ln(1 + {} · {}) / ln(1 + {} · {}), where {} is {}; the value is the network of x",
                           place_text(col - position), c, grouped(position - col), c, reach, reach,
                           scale.constant ? "L" : "q's position");
  return report;
}

Result<std::shared_ptr<const Field>> make_fire(const ParameterValues& values, const Work&) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(std::make_shared<FireField>(Extent{layout->q_length(), layout->kv_length()},
                                                                  layout->past_len(), fire_from(values)));
}

std::string untrained_fire(const ParameterValues& values) {
  return values.reals("mlp_0_weight").empty() ? untrained_values(values.integer("seed")) : std::string();
}

Result<void> check_fire_curves(const ParameterValues& values) {
  if (auto checked = check_fire_parameters(values); !checked) return checked;
  auto positions = values.integers("query_positions");
  if (positions.empty()) return invalid("query_positions is empty but must name one position at least");
  std::ranges::sort(positions);
  const auto twice = std::adjacent_find(positions.begin(), positions.end());
  if (twice == positions.end()) return {};
  return invalid("query_positions names {} twice but must name each position once", *twice);
}

Result<CurveSet> make_fire_curves(const ParameterValues& values, const Work&) {
  const FireNetwork network = fire_from(values);
  const auto& positions = values.integers("query_positions");
  const Index longest = *std::max_element(positions.begin(), positions.end());
  CurveSet set{
      .x_name = "distance",
      .x_title = "distance n (tokens)",
      .y_title = "bias",
      .formula = fmt::format("network of ψ(n) / (ψ(max(p, L)) + 1e-6), ψ(y) = ln(1 + {} y), L = {}; queries up "
                             "to position L share a curve, and no key is further than p from a query at p",
                             to_text(network.c, 6), to_text(network.threshold, 6))};
  set.x = mixed_axis(0, longest, values.integer("points"));
  set.exact = static_cast<Index>(set.x.size()) == longest + 1;
  for (const Index position : positions) {
    Curve curve{fmt::format("p = {}", position), {}};
    for (const double n : set.x)
      curve.y.push_back(n > static_cast<double>(position) ? no_value : network.bias(static_cast<double>(position), n));
    set.curves.push_back(std::move(curve));
  }
  return set;
}

std::vector<ParameterSpec> fire_curve_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("query_positions", "Curves", "Positions of the queries, one for each curve.",
                     {.default_value = std::vector<Index>{512, 1024, 2048, 8192},
                      .minimum = 0,
                      .maximum = 2147483647,
                      .most_items = 16}),
      points_parameter("Curves", 1024, 4096)};
  for (auto& spec : fire_parameters()) specs.push_back(std::move(spec));
  return specs;
}

const Citation fire_citation{"Li et al. 2023, Functional Interpolation for Relative Positions, equation 4",
                             "none compared: the listing of the paper's appendix"};

}  // namespace

Method fire_method() {
  auto specs = sequence_parameters(SequenceUse::lengths, 2048);
  for (auto& spec : fire_parameters()) specs.push_back(std::move(spec));
  specs.push_back(future_keys_parameter());
  return {
      .id = "fire",
      .title = "FIRE",
      .category = "biases",
      .help = "The bias that FIRE's network of distance and query position adds to the score.",
      .citation = fire_citation,
      .traits =
          EncodingTraits{.relative = false,
                         .trainable = true,
                         .extrapolation = "Designed for it: better on longer contexts than the encodings "
                                          "compared (Li et al. 2023, abstract).",
                         .note = {.trade_off = "A small network maps distance over query position to a bias per head. "
                                               "Cells depend on the query too, so the bias cannot be kept as one row.",
                                  .published = "Can represent T5, ALiBi and KERPLE biases; generalises better to "
                                               "longer contexts in language modelling and long-text benchmarks.",
                                  .source = "Li et al. 2023, Functional Interpolation for Relative Positions, abstract",
                                  .positions = "relative and absolute"}},
      .parameters = std::move(specs),
      .in_force = lengths_in_force,
      .check = check_fire_parameters,
      .recipe = FieldRecipe{.row_title = "query position q",
                            .col_title = "key position k",
                            .value_title = "bias",
                            .scale = ValueScale::diverging,
                            .related = {"fire_by_distance"},
                            .decoder_past = decoder_past_from,
                            .untrained = untrained_fire,
                            .make = make_fire}};
}

Method fire_by_distance_method() {
  return {.id = "fire_by_distance",
          .title = "FIRE by distance",
          .category = "biases",
          .help = "FIRE's bias by distance, for queries at several positions p.",
          .citation = fire_citation,
          .parameters = fire_curve_parameters(),
          .check = check_fire_curves,
          .recipe = CurveRecipe{.make = make_fire_curves, .untrained = untrained_fire}};
}

}  // namespace vqscope
