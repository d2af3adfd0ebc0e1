// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope dialects [options]`; the arguments after `dialects`, the exit status.
int runDialects(const QStringList& arguments);

}  // namespace vqscope
