// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/model/config/transformer_config.h"

#include <span>

namespace vqscope {

/// A model and what is done to it beyond its training length. Variants that differ in the latter alone share a
/// training.
struct ExtrapolationVariant {
  std::string id;
  std::string help;
  std::string training;  ///< the id whose training it takes
  void (*train)(const ParameterValues&, TransformerConfig&);
  /// The config at `multiple` training lengths, from that of training; null: the same.
  void (*test)(const ParameterValues&, double multiple, TransformerConfig&) = nullptr;
  bool random_positions = false;  ///< sorted random ones below the longest length, in training and at test
};

std::span<const ExtrapolationVariant> extrapolation_variants();

/// `models`, and what some of the variants are told.
std::vector<ParameterSpec> variant_parameters();

/// The variants of `models`, in the order of the list.
std::vector<ExtrapolationVariant> chosen_variants(const ParameterValues& values);

}  // namespace vqscope
