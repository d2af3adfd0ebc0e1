// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/editing_child.h"
#include "tests/support/test_main.h"

#include <QApplication>

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  if (argc > 1 && QByteArray(argv[1]) == vqscope::test::editingChildOption)
    return vqscope::test::editUntilKilled(argc, argv);
  return vqscope::test::runTests(argc, argv);
}
