// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/saved_state.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

namespace vqscope {
namespace {

constexpr qint64 maxLayoutBytes = 1 << 20;

QString inConfigFolder(const char* name) {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QLatin1Char('/') +
         QString::fromLatin1(name);
}

QString checksum(const WindowLayout& layout) {
  QCryptographicHash hash(QCryptographicHash::Sha256);
  for (const QByteArray& part : {layout.geometry, layout.docks, layout.theme.toUtf8()}) {
    hash.addData(part);
    hash.addData(QByteArray(1, '\0'));
  }
  return QString::fromLatin1(hash.result().toHex());
}

Error damaged(const QString& path) {
  return invalid("the window layout in " + path.toStdString() + " is damaged and was left out");
}

}  // namespace

QString savedSessionPath() { return inConfigFolder("last.vqscope"); }
QString savedLayoutPath() { return inConfigFolder("layout.json"); }

QString keepDamaged(const QString& path) {
  const QString kept = path + QStringLiteral(".damaged");
  QFile::remove(kept);
  QFile::copy(path, kept);
  return kept;
}

Result<void> writeLayout(const WindowLayout& layout, const QString& path) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  const QJsonObject object{{"geometry", QString::fromLatin1(layout.geometry.toBase64())},
                           {"docks", QString::fromLatin1(layout.docks.toBase64())},
                           {"theme", layout.theme},
                           {"checksum", checksum(layout)}};
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(object).toJson()) < 0 || !file.commit())
    return Error{Errc::io, "cannot write " + path.toStdString() + ": " + file.errorString().toStdString()};
  return {};
}

Result<WindowLayout> readLayout(const QString& path) {
  QFile file(path);
  if (!file.exists()) return Error{Errc::not_found, "no window layout"};
  if (!file.open(QIODevice::ReadOnly) || file.size() > maxLayoutBytes) return damaged(path);
  const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
  const WindowLayout layout{QByteArray::fromBase64(object["geometry"].toString().toLatin1()),
                            QByteArray::fromBase64(object["docks"].toString().toLatin1()), object["theme"].toString()};
  if (object["checksum"].toString() != checksum(layout)) return damaged(path);
  return layout;
}

}  // namespace vqscope
