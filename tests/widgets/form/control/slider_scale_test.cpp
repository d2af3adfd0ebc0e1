// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/slider_scale.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

ParameterSpec number(ParameterKind kind, double minimum, double maximum, bool logarithmic) {
  return {.name = "n", .kind = kind, .minimum = minimum, .maximum = maximum, .logarithmic = logarithmic};
}

}  // namespace

class SliderScaleTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void everySharesValueIsAllowed_data() {
    QTest::addColumn<bool>("integer");
    QTest::addColumn<double>("minimum");
    QTest::addColumn<double>("maximum");
    QTest::addColumn<bool>("logarithmic");
    for (const bool integer : {true, false})
      for (const bool logarithmic : {true, false})
        for (const auto& [low, high] : {std::pair(0.0, 127.0), {-1.0, 4096.0}, {1.0, 2147483648.0}, {2.0, 2.0}})
          QTest::addRow("%s %s %g..%g", integer ? "integer" : "real", logarithmic ? "log" : "linear", low, high)
              << integer << low << high << logarithmic;
    QTest::newRow("fraction") << false << 0.0 << 1.0 << false;
    QTest::newRow("small") << false << 1e-6 << 0.1 << true;
  }
  void everySharesValueIsAllowed() {
    QFETCH(bool, integer);
    QFETCH(double, minimum);
    QFETCH(double, maximum);
    QFETCH(bool, logarithmic);
    const auto kind = integer ? ParameterKind::integer : ParameterKind::real;
    const SliderScale scale(number(kind, minimum, maximum, logarithmic));
    QCOMPARE(scale.value(0), minimum);
    QCOMPARE(scale.value(1), maximum);
    QCOMPARE(scale.fraction(minimum), 0.0);
    double previous = minimum;
    for (int i = 0; i <= 1000; ++i) {
      const double value = scale.value(i / 1000.0);
      QVERIFY(value >= previous && value <= maximum);
      if (integer) QCOMPARE(value, std::floor(value));
      if (maximum > minimum) QVERIFY(std::abs(scale.fraction(value) - i / 1000.0) < 0.12);
      previous = value;
    }
  }

  void lengthsLandOnRoundNumbers() {
    const SliderScale scale(number(ParameterKind::integer, 1, 2147483648.0, true));
    for (int i = 1; i < 1000; ++i) {
      const double value = scale.value(i / 1000.0);
      if (value >= 16) QCOMPARE(std::fmod(value, std::exp2(std::floor(std::log2(value)) - 3)), 0.0);
    }
    QVERIFY(std::abs(scale.fraction(65536) - 16.0 / 31) < 1e-9);
  }

  void integersStep() {
    const SliderScale scale(number(ParameterKind::integer, 0, 4096, true));
    QCOMPARE(scale.stepped(100, 1, Step::fine), 101.0);
    QCOMPARE(scale.stepped(100, -3, Step::coarse), 70.0);
    QCOMPARE(scale.stepped(5, -1, Step::coarse), 0.0);
    QCOMPARE(scale.stepped(100, 1, Step::octave), 128.0);
    QCOMPARE(scale.stepped(128, -1, Step::octave), 64.0);
    QCOMPARE(scale.stepped(0, 3, Step::octave), 4.0);
    QCOMPARE(scale.stepped(1, -1, Step::octave), 0.0);
    QCOMPARE(scale.stepped(4000, 2, Step::octave), 4096.0);
    QCOMPARE(scale.stepped(32, 1, Step::notch), 36.0);
    QCOMPARE(scale.stepped(32, -1, Step::notch), 30.0);
    QCOMPARE(scale.stepped(33, 1, Step::notch), 36.0);
  }

  void realsStepWithoutNoise() {
    const SliderScale linear(number(ParameterKind::real, 0, 1, false));
    QCOMPARE(linear.stepped(0.1, 2, Step::fine), 0.12);
    QCOMPARE(linear.stepped(0.1, 2, Step::coarse), 0.3);
    const SliderScale theta(number(ParameterKind::real, 1, 1e9, true));
    QCOMPARE(theta.stepped(10000, 1, Step::fine), 11000.0);
    QCOMPARE(theta.stepped(10000, 1, Step::octave), 20000.0);
    QCOMPARE(theta.stepped(1, -1, Step::octave), 1.0);
  }
};

VQSCOPE_TEST(SliderScaleTest)
#include "slider_scale_test.moc"
