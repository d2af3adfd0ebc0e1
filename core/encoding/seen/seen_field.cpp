// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/seen/seen_summary.h"
#include "core/method/curve_set.h"
#include "core/sequence/query_layout.h"

namespace vqscope {
namespace {

constexpr Index default_q_length = 32768;
const Citation seen_citation{"Peng et al. 2023, YaRN, section 3.2; Chen et al. 2023, Position Interpolation",
                             "Hugging Face transformers, modeling_rope_utils"};

class SeenField : public Field {
 public:
  SeenField(const RopeScaling& scaling, SequenceLayout layout)
      : m_scaling(scaling), m_pairs(seen_pairs(scaling)), m_layout(std::move(layout)) {}

  Extent extent() const override { return {m_layout.q_length(), static_cast<Index>(m_pairs.size())}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override { return pair(col).is_new(m_layout.q_pos(row)) ? 1 : 0; }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {0, 1}; }
  bool count_labels(const Rect& block, LabelCounts& out) const override;
  CellReport report(Index row, Index col) const override;
  std::vector<Mark> marks() const override { return rope_marks({m_scaling, {}, m_layout}); }
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override;

 private:
  const SeenPair& pair(Index col) const { return m_pairs[static_cast<std::size_t>(col)]; }
  Index new_cells(const Rect& block) const;

  RopeScaling m_scaling;
  std::vector<SeenPair> m_pairs;
  SequenceLayout m_layout;
};

Index SeenField::new_cells(const Rect& block) const {
  Index count = 0;
  for (Index col = block.cols.begin; col < block.cols.end; ++col)
    count += count_new(pair(col), m_layout.q_runs(), block.rows);
  return count;
}

Result<void> SeenField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  parallel_for(out.rows, options.threads, [&](Index i) {
    for (Index j = 0; j < out.cols && !options.stop.stop_requested(); ++j) {
      const Rect tile = grid.tile(i, j);
      const auto cells = static_cast<Index>(tile.area());
      const Index some = new_cells(tile);
      const auto at = static_cast<std::size_t>(i * out.cols + j);
      if (options.mean) out.mean[at] = static_cast<float>(static_cast<double>(some) / static_cast<double>(cells));
      if (!options.extremes) continue;
      out.min[at] = some == cells ? 1.0F : 0.0F;
      out.max[at] = some > 0 ? 1.0F : 0.0F;
    }
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

bool SeenField::count_labels(const Rect& block, LabelCounts& out) const {
  const auto some = static_cast<std::uint64_t>(new_cells(block));
  out.clear();
  if (some < block.area()) out.emplace_back(0, block.area() - some);
  if (some > 0) out.emplace_back(1, some);
  return true;
}

CellReport SeenField::report(Index row, Index col) const {
  const Index position = m_layout.q_pos(row);
  const SeenPair& here = pair(col);
  const bool is_new = here.is_new(position);
  CellReport report{{{"q", to_text(row)},
                     {"position", to_text(position)},
                     {"pair", to_text(col)},
                     {"angle", to_text(here.angle(position), 7) + " rad"},
                     {"in training", is_new ? "never" : "met"}},
                    {}};
  const std::string trained = grouped(m_scaling.original_max_position_embeddings);
  if (here.met_every_angle()) {
    report.why =
        fmt::format("within the training length {} the pair makes a whole turn, so training met every angle", trained);
    return report;
  }
  report.why = fmt::format("training up to length {} met the angles 0 to {} rad of this pair; {} rad is {}", trained,
                           to_text(here.trained_arc(), 7), to_text(here.angle(position), 7),
                           is_new ? "beyond them" : "among them");
  if (!m_layout.q_valid(row)) report.why += padding_note;
  return report;
}

std::vector<std::pair<std::string, double>> facts_of(const SeenSummary& summary) {
  std::vector<std::pair<std::string, double>> facts{
      {"pairs_with_new_angles", static_cast<double>(summary.pairs.size())},
      {"new_cells", static_cast<double>(summary.new_cells)},
      {"new_share", summary.fraction()},
      {"new_share_of_these_pairs", summary.fraction_of_pairs()}};
  if (summary.pairs.empty()) return facts;
  facts.emplace_back("first_pair_with_new_angles", static_cast<double>(summary.pairs.front().pair));
  facts.emplace_back("last_pair_with_new_angles", static_cast<double>(summary.pairs.back().pair));
  facts.emplace_back("first_new_position", static_cast<double>(*summary.first_position));
  return facts;
}

std::vector<std::pair<std::string, double>> SeenField::facts(const std::stop_token& stop) const {
  if (stop.stop_requested()) return {};
  return facts_of(summarize_seen(m_pairs, m_layout));
}

Result<std::shared_ptr<const Field>> make_seen(const ParameterValues& values, const Work&) {
  auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(std::make_shared<SeenField>(rope_scaling_from(values), std::move(*layout)));
}

std::string seen_remark(const ParameterValues& values, const Work&) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  const RopeScaling scaling = rope_scaling_from(values);
  if (!layout || !scaling.check()) return {};
  return sentence_of(summarize_seen(seen_pairs(scaling), *layout), scaling, layout->past_len() + layout->q_length());
}

Index served_length(const ParameterValues& values) { return values.integer("q_length") + values.integer("past_len"); }

Result<CurveSet> make_new_angles(const ParameterValues& values, const Work&) {
  const RopeScaling scaling = rope_scaling_from(values);
  const Index length = served_length(values);
  const bool positions = values.choice("quantity") == "first_position";
  const auto pairs = seen_pairs(scaling);
  CurveSet set{
      .x_name = "pair",
      .x_title = "frequency pair i",
      .y_title = positions ? "first position with a new angle" : "share of positions with a new angle",
      .formula =
          "an angle is new if it is beyond the arc 0 … (L − 1) · inv_freq of training, with the "
          "frequency before scaling; a pair that makes a whole turn in training, or that meets none up to the last "
          "position shown, has no first position",
      .log_y = positions,
      .integer = positions};
  set.curves = {{positions ? "first_new_position" : "new_share", {}}};
  for (const auto& pair : pairs) {
    set.x.push_back(static_cast<double>(set.x.size()));
    const auto first = pair.first_new(length);
    const double fraction = static_cast<double>(pair.new_below(length)) / static_cast<double>(length);
    set.curves[0].y.push_back(!positions ? fraction : first ? static_cast<double>(*first) : no_value);
  }
  if (positions)
    set.levels = {{static_cast<double>(scaling.original_max_position_embeddings),
                   "training length " + grouped(scaling.original_max_position_embeddings)}};
  set.facts = facts_of(summarize_seen(pairs, length));
  return set;
}

}  // namespace

Method rope_phase_seen_method() {
  auto parameters = query_parameters(SequenceUse::positions, default_q_length);
  for (auto& spec : rope_scaling_parameters()) parameters.push_back(std::move(spec));
  return {.id = "rope_phase_seen",
          .title = "RoPE seen in training",
          .category = "rotary",
          .help =
              "Whether the angle of pair i at query q occurred in training: 0 seen, 1 new. Training had positions up "
              "to the training length and the frequencies before scaling.",
          .citation = seen_citation,
          .parameters = std::move(parameters),
          .in_force = rope_lengths_in_force,
          .check = check_rope,
          .remark = seen_remark,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "frequency pair i",
                                .value_title = "new angle",
                                .scale = ValueScale::categorical,
                                .col_name = [](const ParameterValues&) { return std::string("pair"); },
                                .related = {"rope_new_angles", "rope_wavelength"},
                                .categories =
                                    [](const ParameterValues&) {
                                      return Categories{2, 2, {{0, "seen in training"}, {1, "new angle"}}, true};
                                    },
                                .make = make_seen}};
}

Method rope_new_angles_method() {
  auto parameters = rope_curve_parameters(default_q_length);
  add_parameter(parameters, "quantity", "Curve", "Quantity to plot for each pair.",
                {.default_value = std::string("first_position"),
                 .choices = {{"first_position", "the first position whose angle did not occur in training"},
                             {"share", "the share of positions up to q_length + past_len with such an angle"}}});
  return {.id = "rope_new_angles",
          .title = "New angles by pair",
          .category = "rotary",
          .help = "From which position on each RoPE pair meets angles that did not occur in training.",
          .citation = seen_citation,
          .parameters = std::move(parameters),
          .in_force = rope_lengths_in_force,
          .check = check_rope,
          .recipe = CurveRecipe{.make = make_new_angles}};
}

}  // namespace vqscope
