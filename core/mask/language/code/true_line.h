// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope::language {

/// The line of a text whose True masks a key, as of masked_fill and nn.MultiheadAttention.
inline constexpr std::string_view true_is_masked_line = "# True: masked";

/// Whether a text has that line.
bool is_true_masked(std::string_view text);

}  // namespace vqscope::language
