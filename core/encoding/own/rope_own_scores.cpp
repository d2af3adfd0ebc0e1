// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/field/field.h"
#include "core/sequence/query_layout.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index range_samples = 48;  // rows and columns that the colour scale looks at
constexpr Index remark_shift = 1000;

class OwnScoreField : public Field {
 public:
  /// `right` is empty unless the damage of wrong positions is shown.
  OwnScoreField(RotarySetting setting, RotatedPair shown, RotatedPair right)
      : m_setting(std::move(setting)), m_shown(std::move(shown)), m_right(std::move(right)), m_largest(largest()) {}

  Extent extent() const override {
    return {static_cast<Index>(m_setting.positions.q.size()), static_cast<Index>(m_setting.positions.k.size())};
  }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    const double score = m_shown.score(row, col);
    return m_setting.score_scale * (m_setting.shows_error ? score - m_right.score(row, col) : score);
  }
  double cell_cost() const override {
    return std::max(1.0, static_cast<double>(m_shown.size) / 8 * (m_setting.shows_error ? 2 : 1));
  }
  std::pair<double, double> value_range() const override { return {-m_largest, m_largest}; }
  CellReport report(Index row, Index col) const override;
  std::vector<std::pair<std::string, double>> facts(const std::stop_token&) const override {
    return {{"shift_error", shift_error(m_setting, remark_shift)},
            {"spread_by_distance", spread_by_distance(m_setting)},
            {"padded_dimensions", static_cast<double>(m_shown.size - m_setting.vectors.dims)}};
  }

 private:
  double largest() const;

  RotarySetting m_setting;
  RotatedPair m_shown, m_right;
  double m_largest;
};

double OwnScoreField::largest() const {
  const auto [rows, cols] = extent();
  const Index row_step = std::max<Index>(1, rows / range_samples), col_step = std::max<Index>(1, cols / range_samples);
  double most = 0;
  for (Index row = 0; row < rows; row += row_step)
    for (Index col = 0; col < cols; col += col_step) most = std::max(most, std::abs(at(row, col)));
  return most == 0 ? 1 : most;
}

CellReport OwnScoreField::report(Index row, Index col) const {
  const auto q = static_cast<std::size_t>(row), k = static_cast<std::size_t>(col);
  const RotaryPositions& used = m_setting.wrong_positions;
  const Index distance = used.q[q] - used.k[k];
  const double plain = dot(m_setting.vectors.query(row), m_setting.vectors.key(col)) * m_setting.score_scale;
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"k", to_text(col)},
                  {"q position", to_text(used.q[q])},
                  {"k position", to_text(used.k[k])},
                  {"without rotation", to_text(plain, 6)},
                  {m_setting.shows_error ? "error" : "score", to_text(at(row, col), 6)}};
  report.why = fmt::format("(R({}) q) · (R({}) k): the angle between the two is that of distance {}",
                           grouped(used.q[q]), grouped(used.k[k]), grouped(distance));
  const Index right = m_setting.positions.q[q] - m_setting.positions.k[k];
  if (right != distance) report.why += fmt::format("; the right distance is {}", grouped(right));
  if (m_shown.size > m_setting.vectors.dims) report.why += "; a zero was added to the odd head";
  return report;
}

Result<std::shared_ptr<const Field>> make_own_scores(const ParameterValues& values, const Work& work) {
  auto setting = rotary_setting(values, work.stop);
  if (!setting) return setting.error();
  RotatedPair shown = rotate(*setting, setting->wrong_positions, work.stop);
  RotatedPair right;
  if (setting->shows_error) right = rotate(*setting, setting->positions, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  return std::shared_ptr<const Field>(
      std::make_shared<OwnScoreField>(std::move(*setting), std::move(shown), std::move(right)));
}

/// The smoke test of a RoPE: scores depend on the distance alone.
std::string remark_own_scores(const ParameterValues& values, const Work& work) {
  const auto setting = rotary_setting(values, work.stop);
  if (!setting || work.stop.stop_requested()) return {};
  std::string text = fmt::format(
      "Adding {} to all positions changes no score by more than {}: only the distance counts. V is not rotated.",
      remark_shift, to_text(shift_error(*setting, remark_shift), 2));
  if (!setting->vectors.shown_head.empty()) text += " " + setting->vectors.shown_head + ".";
  const std::string& vectors = values.choice("vectors");
  if (vectors == "same" || vectors == "ones")
    text += fmt::format(" Scores at equal distances differ by at most {}.", to_text(spread_by_distance(*setting), 2));
  return text;
}

ParameterValues own_in_force(const ParameterValues& values) {
  ParameterValues used = lengths_in_force(values);
  const ParameterValues rope = rope_lengths_in_force(values);
  for (const auto& [name, value] : rope.map()) used.set(name, value);
  used.set("rotary_dim", even_size(values.integer("head_dim")));
  return used;
}

}  // namespace

Method rope_own_scores_method() {
  return {.id = "rope_own_scores",
          .title = "RoPE scores of own q and k",
          .category = "scores",
          .help =
              "Scores of queries and keys of your own after rotation: q ⊙ cos + rot(q) ⊙ sin, the same for k; values "
              "are not rotated.",
          .citation = {"Su et al. 2021, RoFormer, equations 16 and 34; with bias vectors: Su 2023 (kexue.fm 9577)",
                       "Hugging Face transformers, apply_rotary_pos_emb"},
          .parameters = rotary_setting_parameters(),
          .in_force = own_in_force,
          .check = check_rotary_setting,
          .remark = remark_own_scores,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "key k",
                                .value_title = "score",
                                .scale = ValueScale::diverging,
                                .related = {"rope_score"},
                                .make = make_own_scores}};
}

}  // namespace vqscope
