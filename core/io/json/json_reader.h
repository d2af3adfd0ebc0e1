// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"

namespace vqscope {

inline constexpr std::size_t most_json_bytes = std::size_t{4} << 20;
inline constexpr int most_json_depth = 64;

/// What a text may be, and what is made of it.
struct JsonReading {
  std::size_t most_bytes = most_json_bytes;
  /// Values that are not packed: about 100 bytes each in memory, however short they are in the text.
  std::size_t most_values = most_json_bytes;
  /// NaN, Infinity and -Infinity are numbers, which Python's json writes and reads.
  bool python_numbers = false;
  /// Lists of numbers alone are ConfigValue::Integers or Reals: 8 bytes an item, without the items' places.
  bool packs_numbers = false;
};

/// Strict JSON (RFC 8259) in UTF-8 of at most most_json_depth levels. An integer that int64 does not hold is a real; a
/// number beyond every double is refused. Lone surrogates \udc80 to \udcff are the bytes that JsonValue's writer means
/// by them. Errors begin with the place: "line 3, column 14: …".
Result<ConfigValue> read_json(std::string_view text, const JsonReading& how = {});

}  // namespace vqscope
