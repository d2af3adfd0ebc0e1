// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A parameter with a value for it, as somebody types them: "T 4096", "q_length=2M", "factor 8".
struct TypedSetting {
  std::size_t spec = 0;          ///< index
  bool whole = false;            ///< its name, label or short label was typed whole, not the beginning of one
  Result<ParameterValue> value;  ///< refused: the sentence names the parameter and what is allowed
};

/// The parameters that `typed` sets: those of that name, or else a few whose words begin with it. After "=" stands any
/// value, after a blank a number, a list of numbers or a truth value. Empty: `typed` sets nothing.
std::vector<TypedSetting> typed_settings(std::span<const ParameterSpec> specs, std::string_view typed);

/// Words and the length after them: "rope 2M".
struct TypedLength {
  std::string words;
  std::string length;  ///< as it was typed: a whole number for parse_value
};
std::optional<TypedLength> typed_length(std::string_view typed);

}  // namespace vqscope
