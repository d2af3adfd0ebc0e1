// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"

#include <memory>
#include <optional>

namespace vqscope {

/// Which cells of a picture are used.
struct ShownPart {
  std::shared_ptr<const Field> field;  ///< cells that are not used are NaN
  std::optional<Index> decoder_past;   ///< as FieldRecipe::decoder_past; nothing: every cell is used
};

/// The part of `field`, a field of the method with these values, that a picture shows in colour.
ShownPart shown_part(const Method& method, const ParameterValues& values, std::shared_ptr<const Field> field);

/// The same of the difference of two fields: both must mute the same cells.
ShownPart shown_part(const Method& method, const ParameterValues& a, const ParameterValues& b,
                     std::shared_ptr<const Field> difference);

/// Text of FieldRecipe::untrained for values sampled from a seed: "random, untrained (seed 0)".
std::string untrained_values(Index seed);

/// The same for values that stand for learned ones; empty: none do.
std::string untrained_text(const Method& method, const ParameterValues& values);

}  // namespace vqscope
