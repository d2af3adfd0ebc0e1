// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace vqscope {

/// Core speaks UTF-8, Qt UTF-16.
inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

}  // namespace vqscope
