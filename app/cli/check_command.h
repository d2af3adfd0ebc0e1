// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope check [options]`; the arguments after `check`, the exit status: 0 clean, 1 findings, 2 refused.
int runCheck(const QStringList& arguments);

}  // namespace vqscope
