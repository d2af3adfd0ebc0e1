// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/tensor_difference.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

enum class ParityVerdict { equal, noise, differs };
std::string_view name_of(ParityVerdict verdict);

struct ComparedLayer {
  Index layer = 0;
  std::map<TensorRole, TensorDifference> tensors;
  std::map<TensorRole, double> allowed;  ///< relative difference that rounding explains
};

/// The first cell that differs by more than noise.
struct FirstDifference {
  Index layer = 0;
  TensorRole role = TensorRole::q;
  DifferingCell cell;
};

/// Two captures side by side, before any cause is looked for.
struct CaptureComparison {
  ParityVerdict verdict = ParityVerdict::equal;
  double unit = 0;  ///< of the type that the noise has
  std::vector<ComparedLayer> layers;
  std::optional<FirstDifference> first;
  std::vector<std::string> read_a, read_b;

  /// Null: the layer was not compared.
  const ComparedLayer* find(Index layer) const;
  bool exceeds(Index layer, TensorRole role) const;
};

/// `found` is called as soon as the first difference is known.
Result<CaptureComparison> compared_captures(const Capture& a, const Capture& b, const Work& work,
                                            const std::function<void(const FirstDifference&)>& found = {});

/// Relative difference that rounding to the layer's type explains, from those of the tensors that
/// this one is made of. `depth` counts layers from 0, `positions` is the largest one.
double allowed_noise(TensorRole role, const std::map<TensorRole, TensorDifference>& before, double unit, double depth,
                     double positions);

}  // namespace vqscope
