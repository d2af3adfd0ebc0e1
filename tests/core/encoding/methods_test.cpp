// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/method/method_list.h"
#include "core/method/shared/borrowed.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class EncodingMethodsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The order in which curves and forms have them: t5_bias last, whose parameters of the same names have other
  /// defaults.
  void biases_are_those_of_the_list_that_say_so() {
    std::vector<std::string> ids;
    for (const auto* bias : bias_methods()) {
      ids.push_back(bias->id);
      QCOMPARE(find_method(encoding_methods(), bias->id), bias);
    }
    QCOMPARE(ids, (std::vector<std::string>{"nope", "alibi", "kerple_log", "kerple_power", "sandwich", "t5_bias"}));
  }

  void every_bias_is_a_function_of_relative_position() {
    for (const auto* bias : bias_methods()) {
      COMPARE_TEXT(bias->category, "biases");
      QVERIFY2(bias->traits && bias->traits->relative, bias->id.c_str());
      const auto f = borrowed_function(*bias, default_values(bias->parameters));
      QVERIFY2(f, bias->id.c_str());
      bool zero = true;
      for (Index r = -600; r <= 0; ++r) zero = zero && f->at(r) == 0;
      QVERIFY2(zero == bias->bias->zero, bias->id.c_str());
    }
    for (const Method& method : encoding_methods()) {
      const bool by_position = method.id == "fire" || method.id == "fire_by_distance";
      QVERIFY2((method.category == "biases") == (method.bias.has_value() || by_position), method.id.c_str());
    }
  }
};

VQSCOPE_TEST(EncodingMethodsTest)
#include "methods_test.moc"
