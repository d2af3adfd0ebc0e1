// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/saved_state.h"

#include <QFile>
#include <QStandardPaths>

namespace vqscope {
namespace {

QString inConfigFolder(const char* name) {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QLatin1Char('/') +
         QString::fromLatin1(name);
}

}  // namespace

QString savedSessionPath() { return inConfigFolder("last.vqscope"); }
QString savedLayoutPath() { return inConfigFolder("layout.json"); }
QString savedRecentPath() { return inConfigFolder("recent.json"); }

bool copyState(const QString& from, const QString& to) {
  if (!QFile::copy(from, to)) return false;
  QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
  return true;
}

QString keepDamaged(const QString& path) {
  const QString kept = path + QStringLiteral(".damaged");
  QFile::remove(kept);
  return copyState(path, kept) ? kept : path;
}

}  // namespace vqscope
