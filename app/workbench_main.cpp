// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench_main.h"

#include "app/main_window.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"

#include <QApplication>

namespace vqscope {

int runWorkbench(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setWindowIcon(applicationIcon());
  applyTheme(app, systemTheme());
  MainWindow window;
  window.restoreSaved();
  for (const QString& file : QApplication::arguments().mid(1)) window.openFile(file);
  window.show();
  return QApplication::exec();
}

}  // namespace vqscope
