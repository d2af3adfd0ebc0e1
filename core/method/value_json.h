// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/method/parameter.h"

#include <span>
#include <string_view>

namespace vqscope {

JsonValue json_of(const ParameterValue& value);

/// {"q_length": 512, "bidirectional": true, "document_lengths": [3, 5]}.
JsonObject json_of(const ParameterValues& values);

/// The value of one parameter as json_of() writes it, of its type and in its range. Lists may be
/// packed.
Result<ParameterValue> read_value(const ParameterSpec& spec, const ConfigValue& json);

/// "q_length is "four", must be an integer from 1 to 8".
Error wrong_json(std::string_view name, const ConfigValue& given, std::string_view expected);

/// Refuses JSON that is no object, or has a member with another key; `what` is the JSON's name in
/// the error.
Result<void> check_keys(const ConfigValue& json, std::string_view what, std::span<const std::string_view> known);

}  // namespace vqscope
