// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/own/rotated_pair.h"
#include "core/field/field.h"
#include "core/relative/relative_function.h"

#include <cmath>

namespace vqscope {

/// Deviation over the keys up to a query, mean over queries.
struct PartDeviations {
  double content = 0, position = 0;
};

/// [q_length, kv_length] float32: q · k / √d plus a bias of the relative position, or one of the two.
class BiasedScoreField : public Field {
 public:
  /// `part`: "both", "content" or "position".
  BiasedScoreField(OwnVectors vectors, RelativeFunction bias, Index past_len, std::string part)
      : m_vectors(std::move(vectors)),
        m_bias(std::move(bias)),
        m_past_len(past_len),
        m_part(std::move(part)),
        m_largest(largest()) {}

  Extent extent() const override {
    return {static_cast<Index>(m_vectors.queries.size()) / m_vectors.dims,
            static_cast<Index>(m_vectors.keys.size()) / m_vectors.dims};
  }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return (m_part == "position" ? 0 : content(row, col)) + (m_part == "content" ? 0 : position(row, col));
  }
  double cell_cost() const override { return std::max(1.0, static_cast<double>(m_vectors.dims) / 8); }
  std::pair<double, double> value_range() const override { return {-m_largest, m_largest}; }
  CellReport report(Index row, Index col) const override;
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override {
    const PartDeviations some = deviations(stop);
    return {{"content_deviation", some.content}, {"position_deviation", some.position}};
  }
  PartDeviations deviations(const std::stop_token& stop) const;

 private:
  double content(Index row, Index col) const {
    return dot(m_vectors.query(row), m_vectors.key(col)) / std::sqrt(static_cast<double>(m_vectors.dims));
  }
  double position(Index row, Index col) const { return m_bias.at(col - m_past_len - row); }
  double largest() const;

  OwnVectors m_vectors;
  RelativeFunction m_bias;
  Index m_past_len;
  std::string m_part;
  double m_largest;
};

}  // namespace vqscope
