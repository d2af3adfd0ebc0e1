// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/reader_table.h"

#include "tests/support/test_main.h"

#include <QHeaderView>
#include <QLabel>
#include <QTest>

using namespace vqscope;

namespace {

ReaderMatrix twoReaders() {
  return {{"Hugging Face 4", "vLLM"},
          {{"rope_theta", "", {{"10000", true, "the output is wrong"}, {"500000", false, ""}}},
           {"rope_type", "full_attention", {{"default", false, ""}, {"default", false, ""}}}}};
}

}  // namespace

class ReaderTableWidgetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cellsThatDifferAreMarked() {
    ReaderTable table;
    table.setMatrix(twoReaders());
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(table.item(0, 0)->text(), QStringLiteral("≠ 10000"));
    QCOMPARE(table.item(0, 0)->toolTip(), QStringLiteral("the output is wrong"));
    QVERIFY(table.item(0, 0)->background().style() != Qt::NoBrush);
    QCOMPARE(table.item(0, 1)->text(), QStringLiteral("500000"));
    QVERIFY(table.item(0, 1)->background().style() == Qt::NoBrush);
    QCOMPARE(table.verticalHeaderItem(1)->text(), QStringLiteral("rope_type · full_attention"));
  }

  void theConsequenceOfTheSelectedCell() {
    ReaderPanel panel;
    panel.setMatrix(twoReaders());
    auto* table = panel.findChild<ReaderTable*>();
    table->setCurrentCell(0, 0);
    bool found = false;
    for (const auto* label : panel.findChildren<QLabel*>())
      found = found || label->text().contains("the output is wrong");
    QVERIFY(found);
    panel.setMatrix({});
    QVERIFY(table->isHidden());
  }
};

VQSCOPE_TEST(ReaderTableWidgetTest)
#include "reader_table_test.moc"
