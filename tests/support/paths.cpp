// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"

namespace vqscope::test {

// Only this file contains the paths, so that other objects do not depend on the folder of the
// source tree.
QString dataPath(const QString& name) { return QStringLiteral(VQSCOPE_TEST_DATA "/") + name; }

QString sourcePath(const QString& name) { return QStringLiteral(VQSCOPE_SOURCE_DIR "/") + name; }

bool makesFigures() { return VQSCOPE_MAKES_FIGURES; }

QString programPath() { return QStringLiteral(VQSCOPE_PROGRAM); }

}  // namespace vqscope::test
