// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope diff`: where two masks disagree; exit 1 when they do.
int runDiff(const QStringList& arguments);

}  // namespace vqscope
