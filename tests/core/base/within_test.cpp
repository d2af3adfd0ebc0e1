// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class WithinTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_place_comes_first() {
    const Error error = within("a.npy", {Errc::io, "the file is empty", "q >= k\n     ^"});
    COMPARE_TEXT(error.message, "a.npy: the file is empty");
    COMPARE_TEXT(error.detail, "q >= k\n     ^");
    QCOMPARE(error.code, Errc::io);
  }

  void places_are_within_places() { COMPARE_TEXT(within("b", within("a", invalid("wrong"))).message, "b: a: wrong"); }
};

VQSCOPE_TEST(WithinTest)
#include "within_test.moc"
