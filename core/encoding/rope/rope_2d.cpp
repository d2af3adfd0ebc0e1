// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/wave_sum.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/block_walk.h"
#include "core/field/cell_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace vqscope {
namespace {

struct Patch {
  Index row, col;
};

/// The image and the frequencies of either half.
struct PatchGrid {
  Index height = 1;
  Index width = 1;
  double rope_theta = 100;
  Index head_dim = 64;
  std::vector<long double> inv_freq;  ///< head_dim / 4

  Index patches() const { return height * width; }
  Patch patch(Index index) const { return {index / width, index % width}; }
};

PatchGrid grid_from(const ParameterValues& values) {
  PatchGrid grid{.height = values.integer("patch_rows"),
                 .width = values.integer("patch_cols"),
                 .rope_theta = values.real("rope_theta"),
                 .head_dim = values.integer("head_dim"),
                 .inv_freq = {}};
  grid.inv_freq = rope_frequencies({.head_dim = grid.head_dim / 2, .rope_theta = grid.rope_theta}).inv_freq;
  return grid;
}

std::string name_of(const Patch& patch) { return fmt::format("({}, {})", patch.row, patch.col); }

class PatchScoreField : public Field {
 public:
  explicit PatchScoreField(PatchGrid grid)
      : m_grid(std::move(grid)), m_values(static_cast<std::size_t>(std::max(m_grid.height, m_grid.width))) {
    const WaveSum sum(waves_of(turns_of(m_grid.inv_freq)));
    for (std::size_t n = 0; n < m_values.size(); ++n) m_values[n] = sum.at(static_cast<Index>(n));
  }

  Extent extent() const override { return {m_grid.patches(), m_grid.patches()}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    const Patch q = m_grid.patch(row);
    const Patch k = m_grid.patch(col);
    return along(q.row - k.row) + along(q.col - k.col);
  }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override {
    const auto [low, high] = std::ranges::minmax(m_values);
    return {2 * low, 2 * high};
  }
  CellReport report(Index row, Index col) const override;

 private:
  double along(Index step) const { return m_values[static_cast<std::size_t>(std::abs(step))]; }

  PatchGrid m_grid;
  std::vector<double> m_values;  ///< Σ cos(n θ_i) of n = 0, 1, ...
};

void PatchScoreField::read(const Rect& block, CellSpan out) const {
  read_rows(block, out, [&](Index row) {
    return [this, q = m_grid.patch(row), k = m_grid.patch(block.cols.begin)](Index) mutable {
      const double score = along(q.row - k.row) + along(q.col - k.col);
      if (++k.col == m_grid.width) k = {k.row + 1, 0};
      return score;
    };
  });
}

CellReport PatchScoreField::report(Index row, Index col) const {
  const Patch q = m_grid.patch(row);
  const Patch k = m_grid.patch(col);
  const Index down = std::abs(q.row - k.row);
  const Index across = std::abs(q.col - k.col);
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"k", to_text(col)},
                  {"q's patch", name_of(q)},
                  {"k's patch", name_of(k)},
                  {"rows", to_text(along(down), 7)},
                  {"columns", to_text(along(across), 7)},
                  {"value", to_text(at(row, col), 7)}};
  report.why = fmt::format("patches {} and {}: Σ cos({} θ) + Σ cos({} θ), each over {} pairs", name_of(q), name_of(k),
                           grouped(down), grouped(across), m_grid.head_dim / 4);
  return report;
}

class PatchPhaseField : public Field {
 public:
  explicit PatchPhaseField(PatchGrid grid) : m_grid(std::move(grid)), m_rates(turns_of(m_grid.inv_freq)) {}

  Extent extent() const override { return {m_grid.patches(), m_grid.head_dim / 2}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    const Patch patch = m_grid.patch(row);
    const Index half = m_grid.head_dim / 4;
    const auto position = static_cast<Turns>(col < half ? patch.row : patch.col);
    return radians(position * m_rates[static_cast<std::size_t>(col % half)]);
  }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::direction_unsigned, grid, options, out);
  }
  std::pair<double, double> value_range() const override { return {0, 2 * std::numbers::pi}; }
  CellReport report(Index row, Index col) const override;

 private:
  PatchGrid m_grid;
  std::vector<Turns> m_rates;
};

/// As every phase: float32 stays below 2π.
void PatchPhaseField::read(const Rect& block, CellSpan out) const {
  auto* floats = std::get_if<std::span<float>>(&out);
  if (!floats) return Field::read(block, out);
  const float limit = std::nextafter(2 * std::numbers::pi_v<float>, 0.0F);
  float* next = floats->data();
  for (Index row = block.rows.begin; row < block.rows.end; ++row)
    for (Index col = block.cols.begin; col < block.cols.end; ++col)
      *next++ = std::min(static_cast<float>(at(row, col)), limit);
}

CellReport PatchPhaseField::report(Index row, Index col) const {
  const Patch patch = m_grid.patch(row);
  const Index half = m_grid.head_dim / 4;
  const bool by_row = col < half;
  const Index position = by_row ? patch.row : patch.col;
  const long double inv_freq = m_grid.inv_freq[static_cast<std::size_t>(col % half)];
  const auto angle = static_cast<double>(static_cast<long double>(position) * inv_freq);
  CellReport report;
  report.facts = {{"patch", to_text(row)},
                  {"row", to_text(patch.row)},
                  {"column", to_text(patch.col)},
                  {"pair", to_text(col)},
                  {"wavelength", to_text(wavelength(inv_freq), 7) + " patches"},
                  {"phase", to_text(at(row, col), 7) + " rad"}};
  report.why =
      fmt::format("pair {} turns with the patch's {} {} · {}^(−{}/{}) = {} rad", col, by_row ? "row" : "column",
                  position, plain_text(m_grid.rope_theta), 4 * (col % half), m_grid.head_dim, to_text(angle, 7));
  return report;
}

std::vector<ParameterSpec> rope_2d_parameters() {
  const auto side = [](const char* name, const char* help) {
    return make_parameter(name, "Image", help,
                          {.role = ParameterRole::shape,
                           .default_value = Index{14},
                           .minimum = 1,
                           .maximum = 4096,
                           .logarithmic = true,
                           .unit = "patches"});
  };
  return {side("patch_rows", "Number of rows of patches."),
          side("patch_cols", "Number of columns of patches; the index of a patch is row · patch_cols + column."),
          make_parameter("head_dim", "RoPE", "Number of dimensions of one head. Must be divisible by 4.",
                         {.default_value = Index{64}, .minimum = 4, .maximum = 4096, .logarithmic = true}),
          make_parameter(
              "rope_theta", "RoPE",
              "Base of the frequencies: pair i of either half turns by rope_theta^(-4i/head_dim) radians per patch.",
              {.default_value = 100.0, .minimum = 1, .maximum = 1e12, .logarithmic = true})};
}

Result<void> check_rope_2d(const ParameterValues& values) {
  const Index d = values.integer("head_dim");
  if (d % 4 != 0) return invalid("head_dim is {} but must be divisible by 4: two halves of pairs", d);
  if (values.real("rope_theta") <= 1)
    return invalid("rope_theta is {} but must be above 1", plain_text(values.real("rope_theta")));
  return {};
}

Method patch_method(const char* id, const char* title, const char* category, const char* help,
                    std::optional<EncodingTraits> traits, FieldRecipe recipe) {
  return {
      .id = id,
      .title = title,
      .category = category,
      .help = help,
      .citation = {"Su et al. 2021, RoFormer, extended to two dimensions; Heo et al. 2024, Rotary Position Embedding "
                   "for Vision Transformer, section 3.2 (axial)",
                   "none compared: the formula of the paper"},
      .traits = std::move(traits),
      .parameters = rope_2d_parameters(),
      .check = check_rope_2d,
      .recipe = std::move(recipe)};
}

template <class PatchField>
Result<std::shared_ptr<const Field>> make_rope_2d(const ParameterValues& values, const Work&) {
  return std::shared_ptr<const Field>(std::make_shared<PatchField>(grid_from(values)));
}

}  // namespace

Method rope_2d_score_method() {
  return patch_method("rope_2d_score", "RoPE 2-D score", "scores",
                      "Score between identical patches at two places of the image, from axial RoPE alone.",
                      EncodingTraits{.relative = true,
                                     .extrapolation = "Images larger than in training: better than learned tables "
                                                      "(Heo et al. 2024, section 4).",
                                     .note = {.trade_off = "Half of the pairs for each axis: no parameters and any "
                                                           "image size. Diagonals have no pair of their own."}},
                      {.row_title = "query patch",
                       .col_title = "key patch",
                       .value_title = "score",
                       .scale = ValueScale::diverging,
                       .make = make_rope_2d<PatchScoreField>});
}

Method rope_2d_phase_method() {
  return patch_method("rope_2d_phase", "RoPE 2-D phase", "rotary",
                      "Angle by which axial RoPE rotates each pair of a patch, modulo 2π.", {},
                      {.row_title = "patch",
                       .col_title = "frequency pair",
                       .value_title = "phase (rad)",
                       .scale = ValueScale::cyclic,
                       .col_name = [](const ParameterValues&) { return std::string("pair"); },
                       .make = make_rope_2d<PatchPhaseField>});
}

}  // namespace vqscope
