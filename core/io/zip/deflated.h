// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// Deflated bytes (RFC 1951), which InflatedSource reads. Equal bytes give equal results.
std::string deflate_bytes(std::string_view bytes);

}  // namespace vqscope
