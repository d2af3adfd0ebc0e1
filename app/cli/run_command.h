// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope run EXPERIMENT [options] --out FILE...`; the arguments after `run`, the exit status.
int runExperiment(const QStringList& arguments);

}  // namespace vqscope
