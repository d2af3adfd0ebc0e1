// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/insight/mask_insight.h"

#include "core/mask/preset/presets.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"

#include <QLabel>
#include <QPushButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Mask> maskOf(const char* preset, Index length = 24) {
  auto values = default_values(find_method("visibility")->parameters);
  values.set("mask", std::string(preset));
  values.set("q_length", length);
  return *make_preset_mask(values);
}

struct ShownInsight {
  MaskInsight insight;

  ShownInsight() { insight.resize(280, 400); }
  void set(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second = nullptr) {
    insight.setMasks(std::move(mask), std::move(second));
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!insight.isBusy(), 120000); }
  QLabel* label(const QString& begins) {
    for (auto* each : insight.findChildren<QLabel*>())
      if (each->isVisibleTo(&insight) && each->text().startsWith(begins)) return each;
    return nullptr;
  }
  QPushButton* button(const QString& title) {
    for (auto* each : insight.findChildren<QPushButton*>())
      if (each->text() == title && each->isVisibleTo(&insight)) return each;
    return nullptr;
  }
};

}  // namespace

class MaskInsightTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void hiddenWithoutAMask() {
    ShownInsight s;
    QVERIFY(s.insight.isHidden());
    s.set(maskOf("causal"));
    QVERIFY(!s.insight.isHidden());
    QVERIFY(!s.label("A and B"));
    s.set(nullptr);
    QVERIFY(s.insight.isHidden());
  }

  void countsEachWayAndTheFirstCell() {
    ShownInsight s;
    QSignalSpy picked(&s.insight, &MaskInsight::cellPicked);
    s.set(maskOf("causal", 8), maskOf("bidirectional", 8));
    QVERIFY(s.label("B is A without the causal condition."));
    QVERIFY(
        s.label("B is A without the causal condition.\n0 cells visible only in A, 28 cells only in B; the first that "
                "differs is query 0, key 1, visible "
                "only in B."));
    s.button("Go to the first difference")->click();
    QCOMPARE(picked.count(), 1);
    QVERIFY(picked.first().first().value<Cell>() == (Cell{0, 1}));
    s.set(maskOf("causal", 8), maskOf("decode", 8));
    QVERIFY(s.label("The masks are equal."));
    QVERIFY(!s.button("Go to the first difference"));
    s.set(maskOf("causal", 8), maskOf("causal", 9));
    QVERIFY(s.label("The first mask is "));
  }

  /// A request during the comparison is carried out when it ends.
  void goToWaitsForTheComparison() {
    ShownInsight s;
    QSignalSpy picked(&s.insight, &MaskInsight::cellPicked);
    QSignalSpy notices(&s.insight, &MaskInsight::notified);
    s.insight.goToFirstDifference();
    QCOMPARE(notices.count(), 1);
    s.insight.setMasks(maskOf("causal"), maskOf("bidirectional"));
    s.insight.goToFirstDifference();
    QTRY_COMPARE(picked.count(), 1);
  }

  void describesTheMask() {
    ShownInsight s;
    s.set(maskOf("packed"));
    QVERIFY(!s.button("Use as text"));
    QSignalSpy wanted(&s.insight, &MaskInsight::textWanted);
    s.button("What is this mask?")->click();
    s.settle();
    QVERIFY(s.label("Causal ∧ documents [6, 6, 6, 6]."));
    s.button("Use as text")->click();
    QCOMPARE(wanted.count(), 1);
    s.set(maskOf("causal"));
    QVERIFY2(!s.label("Causal ∧"), "another mask is not what was recognised");
  }

  /// A request before new masks waits for them, or is refused if none come.
  void recognitionWaitsForTheNewMask() {
    ShownInsight s;
    QSignalSpy notices(&s.insight, &MaskInsight::notified);
    QSignalSpy wanted(&s.insight, &MaskInsight::textWanted);
    s.set(maskOf("packed"));
    s.insight.setFreshness(Freshness::computing());
    s.insight.recogniseMasks();
    QVERIFY(!s.insight.isBusy());
    s.set(maskOf("causal"));
    s.insight.setFreshness({});
    s.settle();
    QVERIFY(s.label("Causal."));
    s.insight.setFreshness(Freshness::outdated("mask_text, line 1, column 3: unexpected )"));
    s.button("What is this mask?")->click();
    s.button("Use as text")->click();
    s.insight.goToFirstDifference();
    s.insight.recogniseMasks();
    QCOMPARE(notices.count(), 4);
    for (const auto& each : notices)
      QCOMPARE(each[0].toString(), QString("Fix the error first: mask_text, line 1, column 3: unexpected )"));
    QCOMPARE(wanted.count(), 0);
  }

  void differenceWaitsForTheNewMasks() {
    ShownInsight s;
    QSignalSpy picked(&s.insight, &MaskInsight::cellPicked);
    s.set(maskOf("causal"), maskOf("causal"));
    s.insight.setFreshness(Freshness::computing());
    s.insight.goToFirstDifference();
    s.insight.setMasks(maskOf("causal"), maskOf("bidirectional"));
    s.insight.setFreshness({});
    QTRY_COMPARE(picked.count(), 1);
    QVERIFY(picked.first().first().value<Cell>() == (Cell{0, 1}));
  }

  void exceptionsAreLinks() {
    ShownInsight s;
    auto values = default_values(find_method("visibility")->parameters);
    values.set("mask", std::string("custom"));
    values.set("mask_text", std::string("return (kv_idx <= q_idx) & ((q_idx != 20) | (kv_idx != 3))"));
    values.set("q_length", Index{24});
    s.set(*make_preset_mask(values));
    s.insight.recogniseMasks();
    s.settle();
    QVERIFY(s.label("Causal, except 1 cell."));
    QLabel* links = s.label("<a ");
    QVERIFY(links && links->text().contains("href='20,3'"));
    QSignalSpy picked(&s.insight, &MaskInsight::cellPicked);
    emit links->linkActivated("20,3");
    QVERIFY(picked.first().first().value<Cell>() == (Cell{20, 3}));
  }
};

VQSCOPE_TEST(MaskInsightTest)
#include "mask_insight_test.moc"
