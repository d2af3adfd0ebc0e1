// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/program.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class ProgramTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_file_can_be_opened() {
    QCOMPARE(*fileToOpen({}), std::string());
    const std::vector<std::string> one{"a.vqscope"};
    QCOMPARE(*fileToOpen(one), one.front());
    const std::vector<std::string> two{"a.vqscope", "b.vqscope"};
    QCOMPARE(fileToOpen(two).error().message,
             "only one file can be opened at a time, 2 files were given: a.vqscope, b.vqscope");
    const std::vector<std::string> option{"a.vqscope", "-x"};
    QCOMPARE(fileToOpen(option).error().message, "unknown option -x (vqscope --help shows all)");
  }

  void the_running_program_is_a_file() { QVERIFY(runningProgram().ends_with("app_process_tests")); }
};

VQSCOPE_TEST(ProgramTest)
#include "program_test.moc"
