// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope export METHOD [options] --out FILE...`; the arguments after `export`, the exit status.
int runExport(const QStringList& arguments);

}  // namespace vqscope
