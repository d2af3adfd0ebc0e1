// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/score/score_values.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/field/block_walk.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index longest_sequence = 65536;
constexpr Index most_positions = Index{1} << 20;

const Citation randomized_positions_citation{
    "Ruoss et al. 2023, Randomized Positional Encodings Boost Length Generalization, section 3",
    "deepmind/randomized_positional_encodings, models/positional_encodings.py"};

/// The encoding that is no encoding: kv_pos - q_pos itself.
Method distance_method() {
  return relative_method({.id = "distance",
                          .title = "Distance",
                          .category = "scores",
                          .help = "Key position minus query position.",
                          .citation = randomized_positions_citation,
                          .value_name = "kv_pos − q_pos",
                          .function = [](const ParameterValues&) -> Result<RelativeFunction> {
                            return RelativeFunction{
                                {smooth_from(before_all, [](double relative) { return relative; })}};
                          },
                          .why = [](const ParameterValues&, Index relative) { return place_text(relative); }});
}

/// Every encoding whose cells are a function of relative position.
const std::vector<Method>& encodings() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list{distance_method()};
    for (Method& bias : make_methods(bias_makers()))
      if (!bias.bias->zero) list.push_back(std::move(bias));
    for (const auto make :
         {xpos_score_method, rope_score_field_method, rerope_score_method, sinusoidal_similarity_method})
      list.push_back(make());
    return list;
  }();
  return all;
}

const Method& encoding_of(const ParameterValues& values) {
  return *std::ranges::find(encodings(), values.choice("encoding"), &Method::id);
}

/// Parameters of the encoding, without those of the tokens.
std::vector<ParameterSpec> encoding_parameters(const ParameterValues& values) {
  std::vector<ParameterSpec> specs;
  const auto* encoding = values.find("encoding");
  if (!encoding || std::ranges::count(encodings(), std::get<std::string>(*encoding), &Method::id) == 0) return specs;
  for (const auto& spec : encoding_of(values).parameters)
    if (spec.role == ParameterRole::method) specs.push_back(spec);
  return specs;
}

/// The encoding's own values over positions up to `longest`, which dynamic scalings take for the
/// length seen.
ParameterValues encoding_values(const ParameterValues& values, Index longest) {
  const Method& encoding = encoding_of(values);
  ParameterValues own = default_values(encoding.parameters);
  for (const auto& spec : encoding_parameters(values))
    if (const auto* value = values.find(spec.name)) own.set(spec.name, *value);
  own.set("q_length", longest);
  return own;
}

std::vector<Index> positions_from(const ParameterValues& values) {
  return drawn_positions(values.integer("q_length"), values.integer("noise_max_length"),
                         static_cast<std::uint64_t>(values.integer("position_seed")));
}

class RandomizedField : public Field {
 public:
  /// Stopped, its values are not all there.
  RandomizedField(std::vector<Index> positions, std::shared_ptr<const Field> encoding, const Work& work);

  Extent extent() const override { return {count(), count()}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return m_values[static_cast<std::size_t>(m_reach + position(col) - position(row))];
  }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override { return m_range; }
  CellReport report(Index row, Index col) const override;

 private:
  Index count() const { return static_cast<Index>(m_positions.size()); }
  Index position(Index token) const { return m_positions[static_cast<std::size_t>(token)]; }

  std::vector<Index> m_positions;
  std::shared_ptr<const Field> m_encoding;  ///< cell (q_pos, kv_pos)
  Index m_reach;                            ///< between the first and the last position
  std::vector<double> m_values;             ///< f(-m_reach), ..., f(m_reach)
  std::pair<double, double> m_range;
};

RandomizedField::RandomizedField(std::vector<Index> positions, std::shared_ptr<const Field> encoding, const Work& work)
    : m_positions(std::move(positions)),
      m_encoding(std::move(encoding)),
      m_reach(m_positions.back() - m_positions.front()),
      m_values(static_cast<std::size_t>(2 * m_reach + 1)) {
  const RelativeFunction& encoded = *std::get<RelativeForm>(m_encoding->form()).function;
  constexpr std::size_t some = 4096;
  for (std::size_t done = 0; done < m_values.size() && !work.stop.stop_requested(); done += some) {
    const auto part = std::span(m_values).subspan(done, std::min(some, m_values.size() - done));
    encoded.fill(static_cast<Index>(done) - m_reach, part);
    work.report(static_cast<double>(done + part.size()) / static_cast<double>(m_values.size()));
  }
  const double own = m_values[static_cast<std::size_t>(m_reach)];
  m_range = {own, own};
  for (const double value : m_values)  // fmin and fmax leave out what is NaN
    m_range = {std::fmin(m_range.first, value), std::fmax(m_range.second, value)};
}

void RandomizedField::read(const Rect& block, CellSpan out) const {
  read_rows(block, out, [&](Index row) {
    return [this, values = m_values.data() + (m_reach - position(row))](Index col) { return values[position(col)]; };
  });
}

CellReport RandomizedField::report(Index row, Index col) const {
  const Index q = position(row);
  const Index k = position(col);
  CellReport report;
  report.facts = {{"q", to_text(row)},    {"k", to_text(col)},          {"q_pos", to_text(q)},
                  {"kv_pos", to_text(k)}, {"relative", to_text(k - q)}, {"value", to_text(at(row, col), 7)}};
  report.why =
      fmt::format("sampled positions {} of q and {} of k; {}", grouped(q), grouped(k), m_encoding->report(q, k).why);
  return report;
}

/// The lengths and the draw, of the field and of the curve.
std::vector<ParameterSpec> draw_parameters() {
  const std::string group = "Randomized positions";
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, 512))
    if (spec.name == "q_length") specs.push_back(std::move(spec));
  add_parameter(specs, "noise_max_length", group,
                "Positions are sampled from 0 to noise_max_length - 1 without replacement, then sorted.",
                {.default_value = Index{2048},
                 .minimum = 1,
                 .maximum = static_cast<double>(most_positions),
                 .logarithmic = true,
                 .unit = "positions"});
  specs.push_back(
      {.name = "position_seed",
       .label = "Position seed",
       .group = group,
       .help =
           "Random seed of the positions, shared by queries and keys. Training samples new positions for every batch.",
       .default_value = Index{0},
       .minimum = 0,
       .maximum = 9007199254740992.0});
  return specs;
}

Result<void> check_lengths(const ParameterValues& values) {
  const Index length = values.integer("q_length");
  const Index most = values.integer("noise_max_length");
  if (length > longest_sequence)
    return invalid("q_length is {} but must be at most {} with sampled positions", length, longest_sequence);
  if (length > most)
    return invalid("q_length is {} but must be at most noise_max_length = {}: no two tokens share a position", length,
                   most);
  return {};
}

Result<void> check_field(const ParameterValues& values) {
  if (auto checked = check_lengths(values); !checked) return checked;
  return check_method_values(encoding_of(values), encoding_values(values, values.integer("noise_max_length")));
}

Result<std::shared_ptr<const Field>> make_randomized(const ParameterValues& values, const Work& work) {
  auto positions = positions_from(values);
  auto encoding = make_field(encoding_of(values), encoding_values(values, positions.back() + 1), work);
  if (!encoding) return encoding.error();
  std::shared_ptr<const Field> field =
      std::make_shared<RandomizedField>(std::move(positions), std::move(*encoding), work);
  if (work.stop.stop_requested()) return cancelled();
  return field;
}

std::vector<ParameterSpec> randomized_positions_field_parameters() {
  auto specs = draw_parameters();
  ParameterSpec which = make_parameter("encoding", "Encoding", "Encoding applied to key position minus query position.",
                                       {.default_value = std::string("distance")});
  for (const auto& method : encodings()) which.choices.push_back({method.id, method.title});
  specs.push_back(std::move(which));
  specs.push_back(future_keys_parameter());
  return specs;
}

std::string untrained_encoding(const ParameterValues& values) {
  return untrained_text(encoding_of(values), encoding_values(values, values.integer("noise_max_length")));
}

Result<CurveSet> make_randomized_positions_curve(const ParameterValues& values, const Work&) {
  const auto positions = positions_from(values);
  const auto length = static_cast<Index>(positions.size());
  CurveSet set{.x_name = "token",
               .x_title = "token",
               .y_title = "position",
               .formula = fmt::format(
                   "sorted sample of {} of the positions 0 … {} without replacement; ordinary: position = token",
                   length, values.integer("noise_max_length") - 1),
               .integer = true};
  set.x = mixed_axis(0, length - 1, values.integer("points"));
  set.exact = static_cast<Index>(set.x.size()) == length;
  set.curves = {{"drawn", {}}, {"ordinary", set.x}};
  for (const double token : set.x)
    set.curves[0].y.push_back(static_cast<double>(positions[static_cast<std::size_t>(token)]));
  set.principal = 0;
  double steps = 0;
  for (std::size_t i = 1; i < positions.size(); ++i)
    steps = std::max(steps, static_cast<double>(positions[i] - positions[i - 1]));
  set.facts = {{"largest_step", steps}, {"last_position", static_cast<double>(positions.back())}};
  return set;
}

std::vector<ParameterSpec> curve_parameters() {
  auto specs = draw_parameters();
  specs.push_back(points_parameter("Randomized positions", 1024, 4096));
  return specs;
}

}  // namespace

/// Each position in turn is taken with the probability that the rest still needs it (Knuth's
/// algorithm S).
std::vector<Index> drawn_positions(Index count, Index noise_max_length, std::uint64_t seed) {
  assert(count >= 1 && count <= noise_max_length);
  SeededRandom random(seed);
  std::vector<Index> positions;
  for (Index position = 0; static_cast<Index>(positions.size()) < count; ++position) {
    const Index wanted = count - static_cast<Index>(positions.size());
    if (random.uniform() * static_cast<double>(noise_max_length - position) <= static_cast<double>(wanted))
      positions.push_back(position);
  }
  return positions;
}

Method randomized_positions_method() {
  return {
      .id = "randomized_positions",
      .title = "Randomized positions",
      .category = "scores",
      .help = "A relative encoding on positions sampled from a longer range and sorted.",
      .citation = randomized_positions_citation,
      .traits =
          EncodingTraits{
              .relative = false,
              .extrapolation = "Designed for extrapolation: accuracy on 15 algorithmic tasks up "
                               "by 12.0 % on average (Ruoss et al. 2023, section 4).",
              .note = {.trade_off = "Any encoding sees far positions in short training sequences. Distances are noisy, "
                                    "and the longest length has to be chosen beforehand.",
                       .published = "Accuracy on 15 algorithmic tasks at unseen lengths rises by 12.0 % on average.",
                       .source = "Ruoss et al. 2023, Randomized Positional Encodings, abstract",
                       .positions = "as its encoding, at sampled positions"}},
      .parameters = randomized_positions_field_parameters(),
      .free_parameters = encoding_parameters,
      .check = check_field,
      .recipe = FieldRecipe{.row_title = "query q",
                            .col_title = "key k",
                            .value_title = "value",
                            .scale = ValueScale::diverging,
                            .related = {"randomized_position_curve"},
                            .decoder_past = decoder_past_from,
                            .untrained = untrained_encoding,
                            .make = make_randomized}};
}

Method randomized_position_curve_method() {
  return {.id = "randomized_position_curve",
          .title = "Sampled positions",
          .category = "scores",
          .help = "The sampled position of each token, beside its ordinary position.",
          .citation = randomized_positions_citation,
          .parameters = curve_parameters(),
          .check = check_lengths,
          .recipe = CurveRecipe{.make = make_randomized_positions_curve}};
}

}  // namespace vqscope
