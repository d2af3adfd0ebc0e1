// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"

namespace vqscope::test {

// The paths stand in this file alone, so that the others compile to the same objects wherever the tree is.
QString dataPath(const QString& name) { return QStringLiteral(VQSCOPE_TEST_DATA "/") + name; }

QString sourcePath(const QString& name) { return QStringLiteral(VQSCOPE_SOURCE_DIR "/") + name; }

QString programPath() { return QStringLiteral(VQSCOPE_PROGRAM); }

}  // namespace vqscope::test
