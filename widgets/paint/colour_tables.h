// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// 256 colours each, as 6 hexadecimal digits.
extern const char* const viridis_table;
extern const char* const cividis_table;
extern const char* const magma_table;
extern const char* const twilight_table;

}  // namespace vqscope
