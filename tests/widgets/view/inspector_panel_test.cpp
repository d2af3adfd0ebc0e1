// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/inspector_panel.h"

#include "core/base/registry.h"
#include "tests/support/test_main.h"

#include <QLabel>
#include <QTest>

using namespace vqscope;

class InspectorPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void aRemarkOnTheValuesIsShown() {
    Method method = *find_method("t5_bucket");
    int asked = 0;
    method.remark = [&](const ParameterValues& values, const Work&) {
      ++asked;
      return values.integer("num_buckets") < 8 ? std::string("few buckets") : std::string();
    };
    InspectorPanel panel;
    panel.show();
    auto values = default_values(method.parameters);
    panel.setMethod(&method, values);
    QVERIFY(!remarkOf(panel)->isVisible());
    values.set("num_buckets", Index{4});
    panel.setMethod(&method, values);
    QVERIFY(remarkOf(panel)->isVisible() && remarkOf(panel)->wordWrap());
    QCOMPARE(remarkOf(panel)->text(), QString("Few buckets."));
    panel.setMethod(&method, values);
    QCOMPARE(asked, 2);
    panel.setMethod(find_method("t5_bucket"), values);
    QVERIFY2(!remarkOf(panel)->isVisible(), "another method has none");
  }

 private:
  static const QLabel* remarkOf(const InspectorPanel& panel) {
    for (const auto* label : panel.findChildren<QLabel*>())
      if (label->property("class") == "remark") return label;
    return nullptr;
  }
};

VQSCOPE_TEST(InspectorPanelTest)
#include "inspector_panel_test.moc"
