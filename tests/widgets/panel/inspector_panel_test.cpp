// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/inspector_panel.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"

#include <fmt/format.h>

#include <QLabel>
#include <QPointer>
#include <QTest>

#include <atomic>
#include <thread>

using namespace vqscope;

class InspectorPanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aRemarkOnTheValuesIsShown() {
    Method method = *find_method("t5_bucket");
    std::atomic<int> calls = 0;
    method.remark = [&](const ParameterValues& values, const Work&) {
      ++calls;
      return values.integer("num_buckets") < 8 ? std::string("few buckets") : std::string();
    };
    InspectorPanel panel;
    panel.show();
    auto values = default_values(method.parameters);
    panel.setMethod(&method, values);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 120000);
    QVERIFY(!remarkOf(panel)->isVisible());
    values.set("num_buckets", Index{4});
    panel.setMethod(&method, values);
    QVERIFY2(!remarkOf(panel)->isEnabled(), "the former one");
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 120000);
    QVERIFY(remarkOf(panel)->isEnabled());
    QVERIFY(remarkOf(panel)->isVisible() && remarkOf(panel)->wordWrap());
    QCOMPARE(remarkOf(panel)->text(), QString("Few buckets."));
    panel.setMethod(&method, values);
    QVERIFY(!panel.isBusy());
    QCOMPARE(calls.load(), 2);
    panel.setMethod(find_method("t5_bucket"), values);
    QVERIFY2(!remarkOf(panel)->isVisible(), "another method has none");
  }

  /// The first remark of a method that takes long is announced.
  void aLongRemarkIsAnnounced() {
    std::atomic<bool> released = false;
    Method method = *find_method("t5_bucket");
    method.remark = [&](const ParameterValues&, const Work& work) {
      while (!released && !work.stop.stop_requested()) std::this_thread::yield();
      return std::string("few buckets");
    };
    InspectorPanel panel;
    panel.show();
    panel.setMethod(&method);
    QTRY_VERIFY(remarkOf(panel)->isVisible());
    QCOMPARE(remarkOf(panel)->text(), QString("Computing…"));
    released = true;
    QTRY_VERIFY(!panel.isBusy());
    QCOMPARE(remarkOf(panel)->text(), QString("Few buckets."));
  }

  /// Each of two compared sides has its remark; equal remarks are shown once.
  void bothSidesOfAComparisonAreShown() {
    Method method = *find_method("t5_bucket");
    method.remark = [](const ParameterValues& values, const Work&) {
      return fmt::format("{} buckets", values.integer("num_buckets"));
    };
    InspectorPanel panel;
    panel.show();
    const auto values = default_values(method.parameters);
    auto other = values;
    other.set("num_buckets", Index{16});
    panel.setMethod(&method, values, other);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 120000);
    QCOMPARE(remarkOf(panel)->text(), QString("A: 32 buckets.\n\nB: 16 buckets."));
    panel.setMethod(&method, values, values);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 120000);
    QCOMPARE(remarkOf(panel)->text(), QString("32 buckets."));
  }

  /// The mouse that leaves a map takes the cell away while Qt delivers Enter to the label that it
  /// comes to.
  void labelsOutliveTheirCell() {
    InspectorPanel panel;
    panel.show();
    panel.showCell({{{"row", "7"}, {"col", "9"}}, "why"});
    QVERIFY(labelOf(panel, "row") && labelOf(panel, "9")->isVisible());
    const QPointer<QLabel> left = labelOf(panel, "9");
    panel.showCell({{{"x", "1"}}, {}});
    QVERIFY2(left && !left->isVisible(), "one row is enough");
    QVERIFY(labelOf(panel, "x")->isVisible());
    panel.showNothing();
    QVERIFY(left && !labelOf(panel, "x")->isVisible());
    panel.showCell({{{"row", "8"}, {"col", "10"}}, {}});
    QCOMPARE(left->text(), QString("10"));
    QVERIFY(left->isVisible());
  }

 private:
  static QLabel* labelOf(const InspectorPanel& panel, const char* words) {
    for (auto* label : panel.findChildren<QLabel*>())
      if (label->text() == words) return label;
    return nullptr;
  }
  static const QLabel* remarkOf(const InspectorPanel& panel) {
    for (const auto* label : panel.findChildren<QLabel*>())
      if (label->property("class") == "remark") return label;
    return nullptr;
  }
};

VQSCOPE_TEST(InspectorPanelTest)
#include "inspector_panel_test.moc"
