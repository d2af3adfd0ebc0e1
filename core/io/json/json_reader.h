// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"

namespace vqscope {

inline constexpr std::size_t most_json_bytes = std::size_t{4} << 20;
inline constexpr int most_json_depth = 64;

/// Strict JSON (RFC 8259) in UTF-8 of at most most_json_bytes and most_json_depth levels. An integer that int64 does
/// not hold is a real; a number beyond every double is refused, and so are NaN and Infinity. Errors begin with the
/// place: "line 3, column 14: …".
Result<ConfigValue> read_json(std::string_view text);

/// The same, with NaN, Infinity and -Infinity as numbers, which Python's json writes and reads.
Result<ConfigValue> read_python_json(std::string_view text);

}  // namespace vqscope
