// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method_list.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class MethodListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void methods_are_made_in_order_and_found() {
    static constexpr MethodMaker makers[]{[] { return Method{.id = "b"}; }, [] { return Method{.id = "a"}; }};
    const std::vector<Method> list = make_methods(makers);
    QCOMPARE(list.size(), std::size_t{2});
    COMPARE_TEXT(list[0].id, "b");
    QCOMPARE(find_method(list, "a"), &list[1]);
    QVERIFY(!find_method(list, "c"));
    QVERIFY(!find_method({}, "a"));
  }
};

VQSCOPE_TEST(MethodListTest)
#include "method_list_test.moc"
