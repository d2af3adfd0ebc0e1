// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/shared_scale.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ColourScale rangeOf(double low, double high) {
  ColourScale scale;
  scale.low = scale.lowest = low;
  scale.high = scale.highest = high;
  return scale;
}

ColourScale maskOf(std::vector<std::string> terms, std::vector<QRgb> colours) {
  ColourScale scale;
  scale.kind = ValueScale::visibility;
  scale.reasons = std::move(terms);
  scale.reasonColours = std::move(colours);
  return scale;
}

}  // namespace

class SharedScaleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void equalRangesShare() {
    ColourScale clipped = rangeOf(0, 1);
    clipped.clipsHigh = true;
    clipped.highest = 3;
    const auto both = sharedScale(rangeOf(0, 1), clipped);
    QVERIFY(both && both->clipsHigh);
    QCOMPARE(both->highest, 3.0);
    QVERIFY(!sharedScale(rangeOf(0, 1), rangeOf(0, 2)));
  }

  /// A colour must not stand for two terms.
  void termsOfBothMasks() {
    const auto both = sharedScale(maskOf({"causal"}, {1}), maskOf({"window", "causal"}, {2, 1}));
    QVERIFY(both);
    QCOMPARE(both->reasons, (std::vector<std::string>{"causal", "window"}));
    QVERIFY(!sharedScale(maskOf({"causal"}, {1}), maskOf({"window"}, {1})));
    QVERIFY(!sharedScale(maskOf({"causal"}, {1}), maskOf({"causal"}, {2})));
  }
};

VQSCOPE_TEST(SharedScaleTest)
#include "shared_scale_test.moc"
