// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <memory>

using namespace vqscope;

namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return invalid("value is odd");
  return value / 2;
}

Result<void> even(int value) {
  if (auto halved = half(value); !halved) return halved.error();
  return {};
}

}  // namespace

class ResultTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void holds_a_value_or_an_error() {
    QVERIFY(half(4).has_value());
    QCOMPARE(*half(4), 2);
    QCOMPARE(half(4).value(), 2);
    COMPARE_ERROR(half(3), "value is odd");
    QVERIFY(half(3).error().code == Errc::invalid_argument);
  }

  void result_of_void() {
    QVERIFY(even(2));
    COMPARE_ERROR(even(3), "value is odd");
  }

  void moves_a_move_only_value() {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
    QCOMPARE(**result, 7);
    const std::unique_ptr<int> taken = *std::move(result);
    QCOMPARE(*taken, 7);
  }

  void values_can_be_modified_and_accessed() {
    Result<std::string> result(std::string("ab"));
    result->push_back('c');
    *result += "d";
    COMPARE_TEXT(result.value(), "abcd");
    const auto& fixed = result;
    QCOMPARE(fixed->size(), std::size_t{4});
  }

  void cancelled_is_an_error_of_its_own() {
    QVERIFY(cancelled().code == Errc::cancelled);
    COMPARE_TEXT(cancelled().message, "cancelled");
  }
};

VQSCOPE_TEST(ResultTest)
#include "result_test.moc"
