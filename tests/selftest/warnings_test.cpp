// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of tests/support on warnings. CMakeLists.txt lists the functions that must fail.
#include "tests/support/test_main.h"

#include <QTest>

#include <string_view>

using namespace vqscope;

class WarningsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { warnDuring("initTestCase"); }
  void cleanupTestCase() { warnDuring("cleanupTestCase"); }

  void announced() {
    QTest::ignoreMessage(QtWarningMsg, "no such file");
    qWarning("no such file");
  }
  void ofThePlatform() { qWarning("This plugin does not support raise()"); }
  void unexpected() { qWarning("no such file"); }
  void afterTheTest() {}

 private:
  void afterEach() override {
    if (std::string_view(QTest::currentTestFunction()) == "afterTheTest") qWarning("too late");
  }

  static void warnDuring(const char* function) {
    if (qgetenv("VQSCOPE_WARN_DURING") == function) qWarning("in %s", function);
  }
};

VQSCOPE_TEST(WarningsTest)

/// A member that warns when it ends, after all test functions.
class EndingTest : public test::TestCase {
  Q_OBJECT

 public:
  ~EndingTest() override { qWarning("at the end"); }

 private slots:
  void nothing() {}
};

VQSCOPE_TEST(EndingTest)

int main(int argc, char** argv) {
  return test::runTests(
      argc, argv, [](int& count, char** arguments) { return std::make_unique<QCoreApplication>(count, arguments); });
}

#include "warnings_test.moc"
