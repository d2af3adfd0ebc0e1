// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_value.h"
#include "core/method/parameter.h"

namespace vqscope {

JsonValue json_of(const ParameterValue& value);

/// {"q_length": 512, "bidirectional": true, "document_lengths": [3, 5]}.
JsonObject json_of(const ParameterValues& values);

}  // namespace vqscope
