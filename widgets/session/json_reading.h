// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QJsonValue>
#include <QString>

#include <string>
#include <string_view>

namespace vqscope {

QString jsonText(std::string_view utf8);

/// "q_length is "four", must be an integer from 1 to 8".
Error wrongJson(std::string_view name, const QJsonValue& given, std::string_view expected);

/// The same error with the place that it is in before it.
Error within(const std::string& place, const Error& error);

}  // namespace vqscope
