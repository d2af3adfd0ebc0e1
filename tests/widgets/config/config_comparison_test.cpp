// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/config_comparison.h"

#include "core/config/model_config.h"
#include "tests/support/test_main.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

ConfigReport withTheta(const char* theta) {
  return *read_model_config(std::string(R"({"model_type": "llama", "rope_theta": )") + theta + "}");
}

}  // namespace

class ConfigComparisonWidgetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aRowForEachDifference() {
    ConfigComparison comparison;
    comparison.setReports("a.json", withTheta("10000"), "b.json", withTheta("500000"));
    auto* table = comparison.findChild<QTableWidget*>();
    QVERIFY(table->rowCount() >= 1);
    QCOMPARE(table->item(0, 0)->text(), QStringLiteral("rope_theta"));
    QCOMPARE(table->item(0, 2)->text(), QString::fromUtf8("500\u202f000"));
    QVERIFY(comparison.asText().startsWith(QStringLiteral("A: a.json\nB: b.json\n")));
    comparison.setReports("a.json", withTheta("10000"), "b.json", withTheta("10000.0"));
    QVERIFY(table->isHidden());
    QCOMPARE(comparison.asText(), QStringLiteral("a.json and b.json mean the same\n"));
  }

  void errorsOfEither() {
    ConfigComparison comparison;
    comparison.setReports("a", withTheta("10000"), "b", withTheta("0"));
    const auto labels = comparison.findChildren<QLabel*>();
    const auto shown =
        std::ranges::find_if(labels, [](const QLabel* each) { return each->text().startsWith("b: line"); });
    QVERIFY(shown != labels.end() && (*shown)->text().contains("error: rope_theta is 0 but must be"));
    QVERIFY(comparison.asText().startsWith((*shown)->text() + "\n"));
    comparison.setReports("a", withTheta("10000"), "b", withTheta("10000"));
    QVERIFY((*shown)->isHidden());
  }

  void aDialog() {
    ConfigComparisonDialog dialog("a", withTheta("10000"), "b", withTheta("20000"));
    QCOMPARE(dialog.findChildren<QPushButton*>().size(), 2);
  }
};

VQSCOPE_TEST(ConfigComparisonWidgetTest)
#include "config_comparison_test.moc"
