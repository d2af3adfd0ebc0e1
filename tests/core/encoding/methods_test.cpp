// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/method/method_list.h"
#include "core/method/shared/borrowed.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

class EncodingMethodsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void biases_are_the_methods_with_bias_traits() {
    std::set<std::string> ids;
    for (const auto* bias : bias_methods()) {
      QVERIFY2(ids.insert(bias->id).second, bias->id.c_str());
      QCOMPARE(find_method(encoding_methods(), bias->id), bias);
    }
    for (const Method& method : encoding_methods())
      QVERIFY2(method.bias.has_value() == ids.contains(method.id), method.id.c_str());
    QVERIFY(ids.size() >= 6);
  }

  /// Curves and forms have the one without a term first.
  void no_encoding_comes_first() { COMPARE_TEXT(bias_methods().front()->id, "nope"); }

  void every_bias_is_a_function_of_relative_position() {
    for (const auto* bias : bias_methods()) {
      COMPARE_TEXT(bias->category, "biases");
      QVERIFY2(bias->traits && bias->traits->relative != bias->bias->zero, bias->id.c_str());  // nothing: no position
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
