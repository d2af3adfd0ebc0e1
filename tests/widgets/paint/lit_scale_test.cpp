// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/lit_scale.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ColourScale maskScale() {
  ColourScale scale;
  scale.kind = ValueScale::visibility;
  scale.reasons = {"causal", "window"};
  scale.reasonColours = {qRgb(200, 0, 0), qRgb(0, 200, 0)};
  scale.visible = qRgb(0, 0, 200);
  return scale;
}

ColourScale labelScale() {
  ColourScale scale;
  scale.kind = ValueScale::categorical;
  scale.categories.assign(8, qRgb(10, 20, 30));
  scale.groups = {{0, "past"}, {4, "future"}};
  return scale;
}

}  // namespace

class LitScaleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void partsHaveNames() {
    const auto mask = maskScale();
    QStringList names;
    for (const auto& part : partsOf(mask)) names << QString::fromStdString(nameOf(mask, part));
    QCOMPARE(names, (QStringList{"visible", "causal", "window"}));
    const auto labels = labelScale();
    QCOMPARE(partsOf(labels),
             (std::vector<ScalePart>{{ScalePart::Kind::labels, 0, 3}, {ScalePart::Kind::labels, 4, 7}}));
    QCOMPARE(nameOf(labels, partsOf(labels)[1]), std::string("future"));
    QCOMPARE(nameOf(labels, {ScalePart::Kind::labels, 5, 5}), std::string("5"));
    QVERIFY(partsOf(ColourScale{}).empty());
  }

  void othersFade() {
    const QRgb white = qRgb(255, 255, 255);
    const auto lit = litScale(maskScale(), {ScalePart::Kind::term, 1, 1}, white);
    QCOMPARE(lit.reasonColours[1], qRgb(0, 200, 0));
    QVERIFY(qRed(lit.reasonColours[0]) > 240 && qGreen(lit.reasonColours[0]) > 200);
    QVERIFY(qRed(lit.visible) > 200);
    const auto visible = litScale(maskScale(), {ScalePart::Kind::visible}, white);
    QCOMPARE(visible.visible, qRgb(0, 0, 200));
    QVERIFY(qGreen(visible.reasonColours[0]) > 200);
    const auto label = litScale(labelScale(), {ScalePart::Kind::labels, 2, 3}, white);
    QCOMPARE(label.categories[2], qRgb(10, 20, 30));
    QVERIFY(label.categories[1] != label.categories[2] && label.categories[4] == label.categories[1]);
  }

  void partsOfAnotherScaleAreAbsent() {
    QVERIFY(hasPart(maskScale(), {ScalePart::Kind::term, 1, 1}));
    QVERIFY(!hasPart(maskScale(), {ScalePart::Kind::term, 2, 2}));
    QVERIFY(!hasPart(labelScale(), {ScalePart::Kind::visible}));
    QVERIFY(!hasPart(labelScale(), {ScalePart::Kind::labels, 3, 8}));
  }
};

VQSCOPE_TEST(LitScaleTest)
#include "lit_scale_test.moc"
