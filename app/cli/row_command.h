// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope row N [options]`: the row debugger without a window; the arguments after `row`, the exit status.
int runRow(const QStringList& arguments);

}  // namespace vqscope
