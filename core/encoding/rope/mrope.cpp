// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/mrope_layout.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/cell_summary.h"
#include "core/field/field.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

Result<std::vector<MropeGrid>> grids_from(const ParameterValues& values) {
  const auto& sizes = values.integers("image_grid_thw");
  const Index merge = values.integer("spatial_merge_size");
  if (sizes.size() % 3 != 0)
    return invalid("image_grid_thw has {} items but must have three for each image: frames, rows, columns",
                   sizes.size());
  std::vector<MropeGrid> grids;
  for (std::size_t i = 0; i < sizes.size(); i += 3) {
    for (const Index side : {sizes[i + 1], sizes[i + 2]})
      if (side % merge != 0)
        return invalid("image_grid_thw has {} patches on a side but must be divisible by spatial_merge_size {}", side,
                       merge);
    grids.push_back({sizes[i], sizes[i + 1] / merge, sizes[i + 2] / merge});
  }
  return grids;
}

Result<MropeLayout> layout_from(const ParameterValues& values) {
  const auto grids = grids_from(values);
  if (!grids) return grids.error();
  return MropeLayout::make(values.integers("text_lengths"), *grids, values.real("positions_per_frame"));
}

RopeScaling scaling_from(ParameterValues values, Index tokens) {
  values.set("q_length", tokens);
  values.set("past_len", Index{0});
  return rope_scaling_from(values);
}

Result<std::vector<std::uint8_t>> axes_from(const ParameterValues& values, const RopeScaling& scaling) {
  const MropeOrder order = mrope_order(values.boolean("mrope_interleaved"), values.boolean("mrope_height_first"));
  return mrope_axes(values.integers("mrope_section"), order, scaling.pairs());
}

std::vector<std::pair<std::string, std::string>> token_facts(const MropeLayout& layout, Index token) {
  const auto [time, height, width] = layout.position(token);
  return {{"token", to_text(token)},
          {"kind", layout.segment(token).text ? "text" : "image"},
          {"time", to_text(time)},
          {"height", to_text(height)},
          {"width", to_text(width)}};
}

/// "text token 3: position 3 on every axis".
std::string token_place_text(const MropeLayout& layout, Index token) {
  const auto [time, height, width] = layout.position(token);
  if (layout.segment(token).text) return fmt::format("text token {}: position {} on every axis", token, time);
  return fmt::format("image token {}: time {}, height {}, width {}", token, time, height, width);
}

class MropePhaseField : public Field {
 public:
  MropePhaseField(MropeLayout layout, const RopeScaling& scaling, std::vector<std::uint8_t> axes)
      : m_layout(std::move(layout)),
        m_inv_freq(rope_frequencies(scaling).inv_freq),
        m_rates(turns_of(m_inv_freq)),
        m_axes(std::move(axes)) {}

  Extent extent() const override { return {m_layout.tokens(), static_cast<Index>(m_axes.size())}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return phase(m_layout.position(row), static_cast<std::size_t>(col));
  }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::direction_unsigned, grid, options, out);
  }
  std::pair<double, double> value_range() const override { return {0, 2 * std::numbers::pi}; }
  CellReport report(Index row, Index col) const override;

 private:
  double phase(const MropePosition& position, std::size_t pair) const {
    return radians(static_cast<Turns>(position[m_axes[pair]]) * m_rates[pair]);
  }

  MropeLayout m_layout;
  std::vector<long double> m_inv_freq;
  std::vector<Turns> m_rates;
  std::vector<std::uint8_t> m_axes;
};

/// As every phase: float32 stays below 2π.
void MropePhaseField::read(const Rect& block, CellSpan out) const {
  auto* floats = std::get_if<std::span<float>>(&out);
  if (!floats) return Field::read(block, out);
  const float limit = std::nextafter(2 * std::numbers::pi_v<float>, 0.0F);
  float* next = floats->data();
  for (Index row = block.rows.begin; row < block.rows.end; ++row) {
    const MropePosition position = m_layout.position(row);
    for (Index col = block.cols.begin; col < block.cols.end; ++col)
      *next++ = std::min(static_cast<float>(phase(position, static_cast<std::size_t>(col))), limit);
  }
}

CellReport MropePhaseField::report(Index row, Index col) const {
  const auto pair = static_cast<std::size_t>(col);
  const std::string axis = mrope_axis_name(m_axes[pair]);
  const Index position = m_layout.position(row)[m_axes[pair]];
  const auto angle = static_cast<double>(static_cast<long double>(position) * m_inv_freq[pair]);
  CellReport report;
  report.facts = token_facts(m_layout, row);
  report.facts.emplace_back("pair", to_text(col));
  report.facts.emplace_back("axis", axis);
  report.facts.emplace_back("wavelength", to_text(wavelength(m_inv_freq[pair]), 7) + " positions");
  report.facts.emplace_back("phase", to_text(at(row, col), 7) + " rad");
  report.why = fmt::format("{}; pair {} turns with {}: {} · {} = {} rad", token_place_text(m_layout, row), col, axis,
                           position, to_text(static_cast<double>(m_inv_freq[pair]), 7), to_text(angle, 7));
  return report;
}

class MropePositionField : public Field {
 public:
  explicit MropePositionField(MropeLayout layout) : m_layout(std::move(layout)) {}

  Extent extent() const override { return {m_layout.tokens(), 3}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override {
    return static_cast<double>(m_layout.position(row)[static_cast<std::size_t>(col)]);
  }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
  }
  std::pair<double, double> value_range() const override {
    return {0, static_cast<double>(m_layout.tokens() + m_layout.rope_delta() - 1)};
  }
  CellReport report(Index row, Index col) const override {
    CellReport report;
    report.facts = token_facts(m_layout, row);
    report.facts.emplace_back("axis", mrope_axis_name(static_cast<int>(col)));
    report.facts.emplace_back("rope_deltas", to_text(m_layout.rope_delta()));
    report.why = token_place_text(m_layout, row);
    return report;
  }

 private:
  MropeLayout m_layout;
};

std::vector<ParameterSpec> token_parameters() {
  return {
      make_parameter("text_lengths", "Tokens", "Text tokens before each image, and after the last one.",
                     {.role = ParameterRole::shape,
                      .default_value = std::vector<Index>{8, 24},
                      .minimum = 0,
                      .maximum = 2147483648.0,
                      .unit = "tokens",
                      .most_items = 1025}),
      make_parameter("image_grid_thw", "Tokens",
                     "Frames, rows and columns of patches of each image, before patches are merged.",
                     {.role = ParameterRole::shape,
                      .default_value = std::vector<Index>{1, 16, 24},
                      .minimum = 1,
                      .maximum = 65536,
                      .unit = "patches",
                      .most_items = 3072}),
      make_parameter(
          "spatial_merge_size", "Tokens", "Side of the square of patches that becomes one token.",
          {.role = ParameterRole::shape, .default_value = Index{2}, .minimum = 1, .maximum = 64, .unit = "patches"}),
      make_parameter("positions_per_frame", "Tokens",
                     "Positions from one frame to the next: seconds per grid times tokens_per_second in Qwen2.5-VL.",
                     {.role = ParameterRole::shape, .default_value = 1.0, .minimum = 0, .maximum = 1000})};
}

std::vector<ParameterSpec> phase_parameters() {
  auto specs = token_parameters();
  add_parameter(specs, "mrope_section", "RoPE",
                "Pairs that follow time, height and width. Must add up to half the rotated dimensions.",
                {.default_value = std::vector<Index>{16, 24, 24},
                 .minimum = 0,
                 .maximum = 2048,
                 .unit = "pairs",
                 .most_items = 3});
  add_parameter(specs, "mrope_interleaved", "RoPE",
                "Pairs of the three axes alternate, as in Qwen3-VL; otherwise each axis has a run of pairs.",
                {.default_value = false});
  specs.push_back({.name = "mrope_height_first",
                   .label = "Height first",
                   .group = "RoPE",
                   .help =
                       "The sections are height, width and time, as in ERNIE 4.5 VL: pairs of height and width take "
                       "turns, and those of time follow.",
                   .kind = ParameterKind::boolean,
                   .default_value = false,
                   .relevant = {{"mrope_interleaved", {"false"}}}});
  for (auto& spec : rope_scaling_parameters()) {
    if (spec.name == "precision") continue;
    if (spec.name == "seq_len") spec.automatic = "number of tokens";
    specs.push_back(std::move(spec));
  }
  return specs;
}

Result<void> check_positions(const ParameterValues& values) {
  const auto layout = layout_from(values);
  return layout ? Result<void>() : layout.error();
}

Result<void> check_phases(const ParameterValues& values) {
  const auto layout = layout_from(values);
  if (!layout) return layout.error();
  const RopeScaling scaling = scaling_from(values, layout->tokens());
  if (auto checked = scaling.check(); !checked) return checked;
  const auto axes = axes_from(values, scaling);
  return axes ? Result<void>() : axes.error();
}

Result<std::shared_ptr<const Field>> make_phases(const ParameterValues& values, const Work&) {
  const auto layout = layout_from(values);
  if (!layout) return layout.error();
  const RopeScaling scaling = scaling_from(values, layout->tokens());
  const auto axes = axes_from(values, scaling);
  if (!axes) return axes.error();
  return std::shared_ptr<const Field>(std::make_shared<MropePhaseField>(*layout, scaling, *axes));
}

Result<std::shared_ptr<const Field>> make_positions(const ParameterValues& values, const Work&) {
  const auto layout = layout_from(values);
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(std::make_shared<MropePositionField>(*layout));
}

std::string delta_remark(const ParameterValues& values, const Work&) {
  const auto layout = layout_from(values);
  if (!layout) return {};
  return fmt::format("rope_deltas is {}: the next text token, number {}, has position {} on every axis",
                     layout->rope_delta(), grouped(layout->tokens()), grouped(layout->tokens() + layout->rope_delta()));
}

const Citation mrope_citation{"Wang et al. 2024, Qwen2-VL, section 2.1; Qwen team 2025, Qwen3-VL",
                              "Hugging Face transformers, get_rope_index and apply_interleaved_mrope"};

}  // namespace

Method mrope_phase_method() {
  return {.id = "mrope_phase",
          .title = "M-RoPE phase",
          .category = "rotary",
          .help = "Angle by which multimodal RoPE rotates each pair of text and image tokens, modulo 2π.",
          .citation = mrope_citation,
          .parameters = phase_parameters(),
          .check = check_phases,
          .remark = delta_remark,
          .recipe = FieldRecipe{.row_title = "token",
                                .col_title = "frequency pair i",
                                .value_title = "phase (rad)",
                                .scale = ValueScale::cyclic,
                                .row_name = "token",
                                .col_name = [](const ParameterValues&) { return std::string("pair"); },
                                .make = make_phases}};
}

Method mrope_positions_method() {
  return {.id = "mrope_positions",
          .title = "M-RoPE positions",
          .category = "rotary",
          .help = "Position of text and image tokens on the axes time, height and width.",
          .citation = mrope_citation,
          .parameters = token_parameters(),
          .check = check_positions,
          .remark = delta_remark,
          .recipe = FieldRecipe{.row_title = "token",
                                .col_title = "axis: time, height, width",
                                .value_title = "position",
                                .row_name = "token",
                                .col_name = [](const ParameterValues&) { return std::string("axis"); },
                                .make = make_positions}};
}

}  // namespace vqscope
