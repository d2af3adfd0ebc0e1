// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope list [METHOD] [--json]`; the arguments after `list`, the exit status.
int runList(const QStringList& arguments);

}  // namespace vqscope
