// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"
#include "tests/monkey/event_log.h"
#include "tests/monkey/memory.h"
#include "tests/monkey/report.h"
#include "widgets/theme/icons.h"

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>

using namespace vqscope;
using namespace vqscope::monkey;

namespace {

/// Files of the user who runs this are not read or written.
void moveHome(const QString& home) {
  qputenv("HOME", home.toLocal8Bit());
  for (const auto& [name, folder] : {std::pair{"XDG_CONFIG_HOME", "config"}, std::pair{"XDG_STATE_HOME", "state"},
                                     std::pair{"XDG_DATA_HOME", "data"}, std::pair{"XDG_CACHE_HOME", "cache"}}) {
    const QString path = home + QLatin1Char('/') + QLatin1String(folder);
    QDir().mkpath(path);
    qputenv(name, path.toLocal8Bit());
  }
  QDir().mkpath(home + QStringLiteral("/files"));
  QDir::setCurrent(home + QStringLiteral("/files"));
}

}  // namespace

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const Options options = parseOptions(arguments);
  QTemporaryDir temporary;
  moveHome(options.home.isEmpty() ? temporary.path() : QDir(options.home).absolutePath());
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (options.scale() != 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale()));
  limitResources();
  event_log::start(options);

  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  int count = 1;
  WindowApplication app(count, argv);
  QApplication::setApplicationName(QStringLiteral("vqscope"));
  QApplication::setQuitOnLastWindowClosed(false);
  QApplication::setWindowIcon(applicationIcon());
  Watchdog watchdog(options.stall);
  Monkey monkey(options, QDir::currentPath(), watchdog);
  QObject::connect(&monkey, &Monkey::finished, &app, &QApplication::quit, Qt::QueuedConnection);
  app.onError([&monkey](const std::string& sentence) { monkey.onException(QString::fromStdString(sentence)); });
  monkey.start();
  QApplication::exec();
  const int status = report(options, monkey.findings(), watchdog);
  // Abandoned work may still run, and reads objects that the end of main() would destroy.
  temporary.remove();
  std::fflush(nullptr);
  std::_Exit(status);
}
