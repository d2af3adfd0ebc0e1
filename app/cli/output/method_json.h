// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <QJsonObject>

namespace vqscope {

/// Everything that a program needs to know to call `vqscope export`.
QJsonObject methodToJson(const Method& method);

}  // namespace vqscope
