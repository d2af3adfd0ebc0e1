// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_phase_field.h"

#include "core/base/sentence.h"
#include "core/sequence/query_layout.h"

#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

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
