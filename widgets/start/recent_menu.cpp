// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/recent_menu.h"

#include <QAction>
#include <QFileInfo>

namespace vqscope {
namespace {

constexpr int widestFolder = 320;

/// "&1  config.json   ~/models/qwen": the first nine have their number as a key.
QString recentTitle(int number, const QString& path, const QFontMetrics& metrics) {
  const QString folder = metrics.elidedText(folderText(path), Qt::ElideMiddle, widestFolder);
  QString title = QFileInfo(path).fileName() + QStringLiteral("   ") + folder;
  title.replace(QLatin1Char('&'), QLatin1String("&&"));
  return number < 10 ? QStringLiteral("&%1  %2").arg(number).arg(title) : title;
}

}  // namespace

RecentMenu::RecentMenu(std::function<std::vector<RecentFile>()> files, QWidget* parent)
    : QMenu(tr("Open &recent"), parent), m_files(std::move(files)) {
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
  fill();
}

void RecentMenu::fill() {
  clear();
  int number = 0;
  for (const RecentFile& file : m_files()) {
    QAction* action = addAction(recentTitle(++number, file.path, fontMetrics()));
    action->setToolTip(file.path);
    connect(action, &QAction::triggered, this, [this, path = file.path] { emit fileChosen(path); });
  }
  if (number == 0) {
    addAction(tr("No recent files"))->setEnabled(false);
    return;
  }
  addSeparator();
  connect(addAction(tr("&Clear the list")), &QAction::triggered, this, &RecentMenu::clearRequested);
}

}  // namespace vqscope
