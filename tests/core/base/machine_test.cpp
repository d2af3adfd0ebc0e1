// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <sstream>

using namespace vqscope;

class MachineTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void name_of_the_first_processor() {
    const auto name_in = [](const char* text) {
      std::istringstream stream(text);
      return processor_name(stream);
    };
    QCOMPARE(name_in("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) Gold: 6248  \n\nmodel name\t: B\n"),
             std::string("Intel(R) Xeon(R) Gold: 6248"));
    QCOMPARE(name_in("processor\t: 0\nBogoMIPS\t: 50.00\nmodel name\n"), std::string());
    QCOMPARE(name_in(""), std::string());
  }

  void this_machine_has_cores_and_memory() {
    const Machine machine = this_machine();
    QVERIFY(machine.cores >= 1);
    QVERIFY(machine.memory > 0);
  }
};

VQSCOPE_TEST(MachineTest)
#include "machine_test.moc"
