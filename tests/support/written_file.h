// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>

namespace vqscope::test {

/// The path of a new file in `folder` that holds `bytes`.
inline QString writtenFile(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
  QFile file(folder.filePath(name));
  const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
  return written ? file.fileName() : QStringLiteral("cannot write ") + name;
}

}  // namespace vqscope::test
