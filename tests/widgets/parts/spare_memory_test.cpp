// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/spare_memory.h"

#include "tests/support/test_main.h"

#include <QObject>
#include <QTest>

#include <limits>
#include <new>

using namespace vqscope;

/// `new` calls the handler while there is no memory; the test calls it directly.
class SpareMemoryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void handlerExistsWhileAnInstanceExists() {
    const auto before = std::get_new_handler();
    {
      const SpareMemory outer;
      QVERIFY(std::get_new_handler() != before);
      { const SpareMemory inner; }
      QVERIFY(std::get_new_handler() != before);
    }
    QVERIFY(std::get_new_handler() == before);
  }

  void reserveIsUsedBeforeBadAlloc() {
    const SpareMemory spare;
    QVERIFY(!spare.wasNeeded());
    const auto giveAll = [] {
      for (;;) std::get_new_handler()();
    };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, giveAll());
    QVERIFY(spare.wasNeeded());
  }

  void nextInstanceHasAFullReserve() {
    const SpareMemory outer;
    std::get_new_handler()();
    const SpareMemory inner;
    QVERIFY(outer.wasNeeded());
    QVERIFY(!inner.wasNeeded());
    std::get_new_handler()();
    QVERIFY(inner.wasNeeded());
  }

  void memoryIsReservedInAdvance() {
    QVERIFY(isMemoryFor(1e6));
    QVERIFY(!isMemoryFor(1e17));
    QVERIFY(!isMemoryFor(std::numeric_limits<double>::infinity()));
  }
};

VQSCOPE_TEST(SpareMemoryTest)
#include "spare_memory_test.moc"
