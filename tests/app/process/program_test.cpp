// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/program.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class ProgramTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void options_are_no_files() {
    QVERIFY(checkFiles({}));
    const std::vector<std::string> files{"a.vqscope", "b.vqscope"};
    QVERIFY(checkFiles(files));
    const std::vector<std::string> option{"a.vqscope", "-x"};
    QCOMPARE(checkFiles(option).error().message, "unknown option -x (vqscope --help shows all)");
  }

  void the_running_program_is_a_file() { QVERIFY(runningProgram().ends_with("app_process_tests")); }
};

VQSCOPE_TEST(ProgramTest)
#include "program_test.moc"
