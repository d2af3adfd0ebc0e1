// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/layer_tensor.h"
#include "core/field/field.h"

namespace vqscope {

/// The rows and columns of a captured tensor in one sample and head.
class CapturedMatrix : public Field {
 public:
  /// Reads its numbers; a sample or head beyond the last one is the last. Errors name the tensor.
  static Result<std::shared_ptr<const CapturedMatrix>> read(const Capture& capture, Index layer, TensorRole role,
                                                            Index sample, Index head);
  /// B - A of the part that two captures have in common.
  static Result<std::shared_ptr<const CapturedMatrix>> difference(const Capture& a, const Capture& b, Index layer,
                                                                  TensorRole role, Index sample, Index head);

  Extent extent() const override { return {m_reading.extent[2], m_reading.extent[3]}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return static_cast<double>(m_numbers[static_cast<std::size_t>(row * m_reading.extent[3] + col)]);
  }
  std::pair<double, double> value_range() const override { return m_range; }

  /// How the axes of the whole tensor are read.
  const TensorReading& reading() const { return m_reading; }
  Index sample() const { return m_sample; }
  Index head() const { return m_head; }
  /// Of a difference: what it is of, in A and in B; nothing else.
  std::optional<std::pair<double, double>> sides(Index row, Index col) const;

 private:
  CapturedMatrix(TensorReading reading, Index sample, Index head, std::vector<float> numbers,
                 std::array<std::vector<float>, 2> sides = {});

  TensorReading m_reading;
  Index m_sample;
  Index m_head;
  std::vector<float> m_numbers;
  std::array<std::vector<float>, 2> m_sides;  ///< empty: it is no difference
  std::pair<double, double> m_range{0, 0};    ///< of those that are finite
};

}  // namespace vqscope
