// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "core/base/sentence.h"
#include "core/field/cell_summary.h"
#include "core/sequence/query_layout.h"

#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

PhaseMatrix exact_matrix(const RopePicture& picture) {
  const auto runs = picture.layout.q_runs();
  PhaseMatrix matrix{.rows = {runs.begin(), runs.end()},
                     .columns = picture.column_pairs(),
                     .quantity = picture.quantity,
                     .amplitude = picture.frequencies.attention_factor};
  for (const long double inv_freq : picture.frequencies.inv_freq) matrix.rates.push_back(turns_of(inv_freq));
  return matrix;
}

class ExactRopeField : public PhaseField {
 public:
  explicit ExactRopeField(RopePicture picture) : PhaseField(exact_matrix(picture)), m_picture(std::move(picture)) {}

  CellReport report(Index row, Index col) const override { return rope_report(m_picture, row, col, at(row, col)); }
  std::vector<Mark> marks() const override { return rope_marks(m_picture); }

 private:
  RopePicture m_picture;
};

/// The values that models saw: the float32 angle that torch has, bit for bit, and its cos and sin
/// rounded correctly (torch's own are vector code that may miss the last bits, 6e-8 each,
/// differently on each machine). Rounded angles have no closed form: summaries look at cells.
class Float32RopeField : public Field {
 public:
  explicit Float32RopeField(RopePicture picture)
      : m_picture(std::move(picture)),
        m_columns(m_picture.column_pairs()),
        m_inv_freq(m_picture.frequencies.inv_freq.begin(), m_picture.frequencies.inv_freq.end()) {}

  Extent extent() const override { return {m_picture.layout.q_length(), static_cast<Index>(m_columns.size())}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return value(m_picture.layout.q_pos(row), col); }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    const bool phase = m_picture.quantity == PhaseQuantity::phase;
    return summarize_cells(*this, phase ? MeanKind::direction_unsigned : MeanKind::arithmetic, grid, options, out);
  }
  std::pair<double, double> value_range() const override {
    if (m_picture.quantity == PhaseQuantity::phase) return {0, 2 * std::numbers::pi};
    const double reach = std::max(m_picture.frequencies.attention_factor, 1.0);
    return {-reach, reach};
  }
  CellReport report(Index row, Index col) const override { return rope_report(m_picture, row, col, at(row, col)); }
  std::vector<Mark> marks() const override { return rope_marks(m_picture); }

 private:
  double value(Index position, Index col) const;

  RopePicture m_picture;
  std::vector<std::int32_t> m_columns;
  std::vector<float> m_inv_freq;
};

double Float32RopeField::value(Index position, Index col) const {
  const std::int32_t pair = m_columns[static_cast<std::size_t>(col)];
  if (pair < 0) return m_picture.quantity == PhaseQuantity::cos ? 1 : 0;
  const float angle = static_cast<float>(position) * m_inv_freq[static_cast<std::size_t>(pair)];
  const auto factor = static_cast<float>(m_picture.frequencies.attention_factor);
  const double wide = angle;  // std::cos(float) is one unit in the last place off in a cell of a hundred
  switch (m_picture.quantity) {
    case PhaseQuantity::cos: return static_cast<double>(static_cast<float>(std::cos(wide)) * factor);
    case PhaseQuantity::sin: return static_cast<double>(static_cast<float>(std::sin(wide)) * factor);
    default: break;
  }
  // The float is exact as a long double; wrapping it like every other phase keeps both comparable.
  return radians(turns_of(static_cast<long double>(angle)));
}

void Float32RopeField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        Cell* next = cells.data();
        for_each_position_run(m_picture.layout.q_runs(), block.rows, [&](const PositionRun& run) {
          for (Index k = 0; k < run.count; ++k)
            for (Index col = block.cols.begin; col < block.cols.end; ++col)
              *next++ = static_cast<Cell>(value(run.constant ? run.position : run.position + k, col));
        });
      },
      out);
}

std::string value_name(PhaseQuantity quantity) {
  switch (quantity) {
    case PhaseQuantity::cos: return "cos";
    case PhaseQuantity::sin: return "sin";
    default: return "phase";
  }
}

std::string rad(double angle) { return to_text(angle, 7) + " rad"; }

CellReport unrotated_report(const RopePicture& picture, Index row, Index col, double value) {
  return {{{"q", to_text(row)},
           {"position", to_text(picture.layout.q_pos(row))},
           {"dimension", to_text(col)},
           {value_name(picture.quantity), to_text(value)}},
          fmt::format("dimension {} is beyond rotary_dim {}, so it is not rotated: cos 1, sin 0", col,
                      picture.scaling.rotated())};
}

/// "position 5 · inv_freq 0.1 = 0.5 rad = 0.0796 turns", and what of it is seen.
std::string why_rope_report(const RopePicture& picture, Index row, Index position, long double inv_freq) {
  const long double turn = 2 * std::numbers::pi_v<long double>;
  const long double angle = static_cast<long double>(position) * inv_freq;
  const long double turns = std::floor(angle / turn);
  std::string text = fmt::format("position {} · inv_freq {} = {}", grouped(position),
                                 to_text(static_cast<double>(inv_freq), 6), rad(static_cast<double>(angle)));
  if (turns > 0)
    text += fmt::format(": {} {} and {}", grouped(static_cast<Index>(turns)), turns == 1 ? "whole turn" : "whole turns",
                        rad(static_cast<double>(angle - turns * turn)));
  else
    text += ", within the first turn";
  if (!picture.layout.q_valid(row)) text += padding_note;
  if (position >= picture.scaling.original_max_position_embeddings)
    text += "; beyond the training length " + grouped(picture.scaling.original_max_position_embeddings);
  return text;
}

}  // namespace

std::vector<std::int32_t> RopePicture::column_pairs() const {
  const bool by_dimension = columns == RopeColumns::dimensions;
  const Index count = by_dimension ? scaling.head_dim : scaling.pairs();
  std::vector<std::int32_t> pairs;
  for (Index col = 0; col < count; ++col)
    pairs.push_back(
        static_cast<std::int32_t>(by_dimension ? pair_of(col, scaling.pairs(), pair_layout, scaling.head_dim) : col));
  return pairs;
}

std::shared_ptr<const Field> make_rope_field(RopePicture picture) {
  if (picture.scaling.precision == RopePrecision::exact) return std::make_shared<ExactRopeField>(std::move(picture));
  return std::make_shared<Float32RopeField>(std::move(picture));
}

CellReport rope_report(const RopePicture& picture, Index row, Index col, double value) {
  const Index pairs = picture.scaling.pairs();
  const bool by_dimension = picture.columns == RopeColumns::dimensions;
  const Index pair = by_dimension ? pair_of(col, pairs, picture.pair_layout, picture.scaling.head_dim) : col;
  if (pair < 0) return unrotated_report(picture, row, col, value);
  const Index position = picture.layout.q_pos(row);
  const long double inv_freq = picture.frequencies.inv_freq[static_cast<std::size_t>(pair)];
  const double length = wavelength(inv_freq);
  const auto [first, second] = dimensions_of(pair, pairs, picture.pair_layout, picture.scaling.head_dim);
  CellReport report;
  report.facts = {{"q", to_text(row)}, {"position", to_text(position)}};
  if (by_dimension) report.facts.emplace_back("dimension", to_text(col));
  report.facts.insert(
      report.facts.end(),
      {{"pair", to_text(pair)},
       {"dimensions", fmt::format("{} and {}", first, second)},
       {"inv_freq", to_text(static_cast<double>(inv_freq), 9)},
       {"wavelength", to_text(length, 7) + " tokens"},
       {"turns", to_text(static_cast<double>(position) / length, 7)},
       {value_name(picture.quantity), picture.quantity == PhaseQuantity::phase ? rad(value) : to_text(value, 7)}});
  report.why = why_rope_report(picture, row, position, inv_freq);
  return report;
}

std::vector<Mark> rope_marks(const RopePicture& picture) {
  const Index trained = picture.scaling.original_max_position_embeddings;
  for (const auto& run : picture.layout.q_runs()) {
    if (run.position(run.tokens.end - 1) < trained) continue;
    const Index row = run.tokens.begin + (run.valid ? std::max<Index>(trained - run.first, 0) : 0);
    if (row == 0) return {};
    return {{Mark::Axis::row, static_cast<double>(row), "training length " + grouped(trained)}};
  }
  return {};
}

}  // namespace vqscope
