// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QJsonObject>

namespace vqscope {

/// {"q_length": 512, "bidirectional": true, "document_lengths": [3, 5]}.
QJsonObject valuesToJson(const ParameterValues& values);

/// The value of one parameter, of its type and in its range.
Result<ParameterValue> readValue(const ParameterSpec& spec, const QJsonValue& json);

}  // namespace vqscope
