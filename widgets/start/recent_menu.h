// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/start/recent_files.h"

#include <QMenu>

#include <functional>

namespace vqscope {

/// The menu of files that were opened last, each with its folder. It is filled when it opens.
class RecentMenu : public QMenu {
  Q_OBJECT
 public:
  RecentMenu(std::function<std::vector<RecentFile>()> files, QWidget* parent);

 signals:
  void fileChosen(const QString& path);
  void clearRequested();

 private:
  void fill();

  std::function<std::vector<RecentFile>()> m_files;
};

}  // namespace vqscope
