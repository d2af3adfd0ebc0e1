// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does with a window.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <QWidget>

#include <functional>

namespace vqscope::test {

/// Does `act` with the dialog that comes next, once it is there.
template <class Dialog>
void whenModal(std::function<void(Dialog&)> act) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, act = std::move(act)] {
    auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
    if (!dialog) return;
    timer->stop();
    timer->deleteLater();
    act(*dialog);
  });
  timer->start(1);
}

inline void dropFiles(QWidget& window, const QStringList& paths) {
  QMimeData data;
  QList<QUrl> urls;
  for (const auto& path : paths) urls << QUrl::fromLocalFile(path);
  data.setUrls(urls);
  const QPoint place = window.rect().center();
  QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(&window, &enter);  // Qt remembers where a drag is
  QDropEvent dropped(place, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(&window, &dropped);
}

}  // namespace vqscope::test
