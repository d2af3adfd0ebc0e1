// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"

#include <QJsonObject>

#include <span>

namespace vqscope {

/// {"q_length": 512, "bidirectional": true, "document_lengths": [3, 5]}.
QJsonObject valuesToJson(const ParameterValues& values);

/// Sets what the object names; each name must be one of `specs`, each value of its type and in its range.
/// `name` is what the object is called in errors; an undefined one sets nothing.
Result<void> readValues(const QJsonValue& json, std::string_view name, std::span<const ParameterSpec> specs,
                        ParameterValues& values);

}  // namespace vqscope
