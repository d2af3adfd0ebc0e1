// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/parallel.h"
#include "core/encoding/phase/phase_summary.h"
#include "core/encoding/phase/rope_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vqscope {

PhaseField::PhaseField(PhaseMatrix matrix) : m_matrix(std::move(matrix)) {
  assert(!m_matrix.rows.empty() && !m_matrix.columns.empty());
}

Extent PhaseField::extent() const {
  return {m_matrix.rows.back().tokens.end, static_cast<Index>(m_matrix.columns.size())};
}

Index PhaseField::position(Index row) const {
  Index found = 0;
  for_each_position_run(m_matrix.rows, {row, row + 1}, [&](const PositionRun& run) { found = run.position; });
  return found;
}

double PhaseField::at(Index row, Index col) const {
  const std::int32_t pair = m_matrix.columns[static_cast<std::size_t>(col)];
  if (pair < 0) return m_matrix.quantity == PhaseQuantity::cos ? 1 : 0;
  const Turns angle = m_matrix.angle(position(row), static_cast<std::size_t>(pair));
  switch (m_matrix.quantity) {
    case PhaseQuantity::phase: return radians(angle);
    case PhaseQuantity::signed_phase: return signed_radians(angle);
    case PhaseQuantity::cos: return m_matrix.amplitude * cosine(angle);
    case PhaseQuantity::sin: return m_matrix.amplitude * sine(angle);
  }
  return 0;
}

template <class Out>
void PhaseField::read_phases(const Rect& block, Out* out) const {
  const bool centred = m_matrix.quantity == PhaseQuantity::signed_phase;
  const auto limit = std::nextafter(2 * std::numbers::pi_v<Out>, Out{0});
  std::vector<Progression> columns;  // from position 0
  for (Index col = block.cols.begin; col < block.cols.end; ++col) {
    const auto pair = static_cast<std::size_t>(m_matrix.columns[static_cast<std::size_t>(col)]);
    columns.push_back({m_matrix.angle(0, pair), m_matrix.rates[pair]});
  }
  for_each_position_run(m_matrix.rows, block.rows, [&](const PositionRun& run) {
    for (Index k = 0; k < run.count; ++k) {
      const auto position = static_cast<Turns>(run.constant ? run.position : run.position + k);
      if (centred)
        for (const Progression& column : columns)
          *out++ = static_cast<Out>(signed_radians(column.start + position * column.rate));
      else
        for (const Progression& column : columns)
          *out++ = std::min(static_cast<Out>(radians(column.start + position * column.rate)), limit);
    }
  });
}

/// Pairs of the block once, by the table, then each column from its pair.
template <class Out>
void PhaseField::read_waves(const Rect& block, Out* out) const {
  const bool is_cos = m_matrix.quantity == PhaseQuantity::cos;
  const auto first = m_matrix.columns.begin() + block.cols.begin;
  const std::vector<std::int32_t> columns(first, first + block.cols.size());
  std::vector<Turns> rates;
  std::vector<Turns> offsets;
  std::vector<std::int32_t> slot(m_matrix.rates.size(), -1);
  for (const std::int32_t pair : columns)
    if (pair >= 0 && slot[static_cast<std::size_t>(pair)] < 0) {
      slot[static_cast<std::size_t>(pair)] = static_cast<std::int32_t>(rates.size());
      rates.push_back(m_matrix.rates[static_cast<std::size_t>(pair)]);
      offsets.push_back(m_matrix.angle(0, static_cast<std::size_t>(pair)));
    }
  const RopeTable table(rates, m_matrix.amplitude, block.rows.size(), offsets);
  constexpr Index chunk = RopeTable::most_steps;
  std::vector<Out> values(rates.size() * static_cast<std::size_t>(std::min(chunk, block.rows.size())));
  for_each_position_run(m_matrix.rows, block.rows, [&](const PositionRun& run) {
    for (Index done = 0; done < run.count; done += chunk) {
      const Index rows = std::min(chunk, run.count - done);
      const Index computed = run.constant ? 1 : rows;
      const Index position = run.constant ? run.position : run.position + done;
      table.fill(position, computed, is_cos ? values.data() : nullptr, is_cos ? nullptr : values.data());
      for (Index row = 0; row < rows; ++row) {
        const Out* from = values.data() + static_cast<std::size_t>(run.constant ? 0 : row) * rates.size();
        for (const std::int32_t pair : columns)
          *out++ = pair < 0 ? (is_cos ? Out{1} : Out{0}) : from[slot[static_cast<std::size_t>(pair)]];
      }
    }
  });
}

void PhaseField::read(const Rect& block, CellSpan out) const {
  const bool wave = m_matrix.quantity == PhaseQuantity::cos || m_matrix.quantity == PhaseQuantity::sin;
  const auto fill = [&](auto* cells) { wave ? read_waves(block, cells) : read_phases(block, cells); };
  if (auto* floats = std::get_if<std::span<float>>(&out))
    fill(floats->data());
  else if (auto* doubles = std::get_if<std::span<double>>(&out))
    fill(doubles->data());
  else
    Field::read(block, out);
}

Result<void> PhaseField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  const bool wave = m_matrix.quantity == PhaseQuantity::cos || m_matrix.quantity == PhaseQuantity::sin;
  if (!wave) out.coherence.resize(out.mean.size());
  constexpr Index band = 16;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + band - 1) / band, options.threads, [&](Index b) {
    PhaseSummary summary(m_matrix, grid, options);
    for (Index i = b * band; i < std::min(out.rows, (b + 1) * band) && !options.stop.stop_requested(); ++i)
      summary.row(i, out);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

std::pair<double, double> PhaseField::value_range() const {
  switch (m_matrix.quantity) {
    case PhaseQuantity::phase: return {0, 2 * std::numbers::pi};
    case PhaseQuantity::signed_phase: return {-std::numbers::pi, std::numbers::pi};
    default: break;
  }
  const double reach = std::max(m_matrix.amplitude, 1.0);
  return {-reach, reach};
}

std::shared_ptr<const Field> PhaseField::minus(const Field& other, DifferenceKind kind) const {
  if (kind != DifferenceKind::angular) return nullptr;
  const FieldForm form = other.form();
  const auto* phases = std::get_if<const PhaseMatrix*>(&form);
  if (!phases || m_matrix.quantity != PhaseQuantity::phase || (*phases)->quantity != PhaseQuantity::phase)
    return nullptr;
  if (m_matrix.rows.size() != (*phases)->rows.size() || m_matrix.columns != (*phases)->columns ||
      m_matrix.offsets != (*phases)->offsets)
    return nullptr;
  const auto alike = [](const TokenRun& a, const TokenRun& b) {
    return a.tokens == b.tokens && a.first == b.first && a.valid == b.valid;
  };
  if (!std::ranges::equal(m_matrix.rows, (*phases)->rows, alike)) return nullptr;
  PhaseMatrix difference = m_matrix;
  difference.quantity = PhaseQuantity::signed_phase;
  difference.offsets.clear();
  for (std::size_t i = 0; i < difference.rates.size(); ++i) difference.rates[i] -= (*phases)->rates[i];
  return std::make_shared<PhaseField>(std::move(difference));
}

}  // namespace vqscope
