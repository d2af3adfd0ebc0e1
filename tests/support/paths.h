// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope::test {

/// A file of tests/data: "vq/q.npy".
QString dataPath(const QString& name);

/// A file of the source tree: "resources/configs/t5-base.json".
QString sourcePath(const QString& name);

/// The program that was built with the tests; empty if it was not.
QString programPath();

/// Whether that program has Qt, and so a window and figures.
bool makesFigures();

}  // namespace vqscope::test
