// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/row_report.h"

#include <optional>

namespace vqscope {

enum class FloatType { float32, float16, bfloat16 };

/// Number of an additive mask for a masked key.
enum class MaskedValue { most_negative, minus_infinity };

/// How a mask is written as numbers that are added to the scores: 0 where visible.
struct AdditiveFormat {
  FloatType type = FloatType::float32;
  MaskedValue masked = MaskedValue::most_negative;
  std::optional<double> own = {};  ///< instead of `masked`: what the file of the mask has there, before it is rounded
  friend bool operator==(const AdditiveFormat&, const AdditiveFormat&) = default;
};

/// "float32", "float16", "bfloat16", in the order of FloatType.
std::span<const std::string> float_type_names();

/// finfo(type).min: -3.4028235e38, -65504, -3.3895314e38. A float32 holds each of them exactly.
double most_negative(FloatType type);

/// Number of an additive file for a masked key; none for other masks, or if several numbers mask.
std::optional<double> masked_number(const Mask& mask);
/// "The file has -1e+30 where a key is masked, which is -inf in float16."; empty without a number
/// of its own.
std::string own_number_sentence(const AdditiveFormat& format);

double additive_value(const AdditiveFormat& format, bool visible);
/// "0", "-65504", "-inf": shortest text that reads back as the same float32.
std::string additive_text(const AdditiveFormat& format, bool visible);
/// The same for a narrow column: "-3.4e+38".
std::string short_additive_text(const AdditiveFormat& format, bool visible);

/// The softmax weight of a key of the row when all scores are equal. The visible keys share 1. In a
/// row that sees nothing every number is the same: the most negative one spreads over all keys,
/// masked as they are; -inf gives NaN.
double neutral_weight(const RowReport& row, const AdditiveFormat& format, bool visible);

/// The same in words, for the whole row.
std::string neutral_weights_sentence(const RowReport& row, const AdditiveFormat& format);

}  // namespace vqscope
