// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_reading.h"

#include "widgets/parts/text.h"

#include <QFileInfo>

namespace vqscope {
namespace {

constexpr int untilAnnounced = 200;  // milliseconds: shorter ones would only flash

}  // namespace

FileReading::FileReading(QObject* parent) : QObject(parent) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(untilAnnounced);
  connect(&m_delay, &QTimer::timeout, this, [this] {
    m_isAnnounced = true;
    emit lasting(m_sentence);
  });
}

void FileReading::announce(const QStringList& paths) {
  QStringList names;
  for (const QString& path : paths) names << text(shownPath(QFileInfo(path).fileName()));
  m_sentence = tr("Reading %1").arg(names.join(QStringLiteral(", ")));
  m_delay.start();
}

void FileReading::end() {
  m_delay.stop();
  if (std::exchange(m_isAnnounced, false)) emit ended();
}

void FileReading::stop() {
  m_work.stop();
  end();
}

}  // namespace vqscope
