// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope config FILE|- [--json]`; the arguments after `config`, the exit status: 0 clean, 1 findings, 2 refused.
int runConfig(const QStringList& arguments);

}  // namespace vqscope
