// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/duration_text.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"

#include <QObject>

namespace vqscope {

QString durationText(double seconds) {
  const auto [unit, size] = seconds < 100    ? std::pair(QObject::tr("s"), 1.0)
                            : seconds < 5940 ? std::pair(QObject::tr("min"), 60.0)
                                             : std::pair(QObject::tr("h"), 3600.0);
  return text(to_text(seconds / size, 2)) + " " + unit;
}

}  // namespace vqscope
