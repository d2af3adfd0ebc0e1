// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// "0.31 s", "45 s", "2.5 min", "3 h".
QString durationText(double seconds);

}  // namespace vqscope
