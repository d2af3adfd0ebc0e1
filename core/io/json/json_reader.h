// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"

namespace vqscope {

inline constexpr std::size_t most_json_bytes = std::size_t{4} << 20;
inline constexpr int most_json_depth = 64;

/// What the text may contain, and how it is stored.
struct JsonReading {
  std::size_t most_bytes = most_json_bytes;
  /// Most values that are not packed: each takes about 100 bytes of memory, however short its text.
  std::size_t most_values = most_json_bytes;
  /// Accepts NaN, Infinity and -Infinity, as Python's json writes and reads them.
  bool python_numbers = false;
  /// Stores lists of only numbers as ConfigValue::Integers or Reals: 8 bytes per item, without the
  /// places of the items.
  bool packs_numbers = false;
};

/// Strict JSON (RFC 8259) in UTF-8, nested at most most_json_depth levels deep. An integer that
/// does not fit int64 becomes a real; a number beyond the range of double is refused. Lone
/// surrogates \udc80 to \udcff stand for the raw bytes from which JsonValue's writer makes them.
/// Errors begin with the place: "line 3, column 14: …".
Result<ConfigValue> read_json(std::string_view text, const JsonReading& how = {});

}  // namespace vqscope
