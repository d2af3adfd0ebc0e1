// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// What measured times were measured on.
struct Machine {
  QString processor;  ///< empty: it does not tell
  int cores = 1;      ///< that run at once
  double memory = 0;  ///< bytes; 0: it does not tell
};

Machine thisMachine();

}  // namespace vqscope
