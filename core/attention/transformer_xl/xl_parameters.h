// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/sequence/xl_segments.h"

namespace vqscope {

/// A length or a position in tokens, up to 2^31.
ParameterSpec xl_tokens_parameter(std::string name, std::string label, std::string group, std::string help,
                                  Index default_value, double minimum);

/// `q_length`, `segment_len`, `memory_len`, `layers`.
std::vector<ParameterSpec> xl_size_parameters();

/// Reads these, and same_length and clamp_len if present.
XlSegments xl_segments(const ParameterValues& values);

}  // namespace vqscope
