// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/model/config/transformer_config.h"

#include <span>

namespace vqscope {

/// A model and how it is changed beyond its training length. Variants that differ only in the
/// latter share a training.
struct ExtrapolationVariant {
  std::string id;
  std::string help;
  std::string training;  ///< the id whose training it uses
  void (*train)(const ParameterValues&, TransformerConfig&);
  /// Turns the config of training into that at `multiple` training lengths; null: no change.
  void (*test)(const ParameterValues&, double multiple, TransformerConfig&) = nullptr;
  bool random_positions = false;  ///< sorted random positions below the longest length, in training and at test
};

std::span<const ExtrapolationVariant> extrapolation_variants();

/// `models`, and the parameters of some variants.
std::vector<ParameterSpec> variant_parameters();

/// The variants of `models`, in the order of the list.
std::vector<ExtrapolationVariant> chosen_variants(const ParameterValues& values);

}  // namespace vqscope
