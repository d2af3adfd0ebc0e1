// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/source/reading_rows.h"

#include "tests/support/test_main.h"
#include "widgets/mask/source/sample_strip.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace vqscope;

class ReadingRowsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void nothing_to_choose_is_hidden() {
    QWidget window;
    ReadingRows rows(&window);
    rows.show(ReadingRows::Content());
    QVERIFY(!rows.isVisibleTo(&window));
    rows.show({.threshold = -1e9});
    QVERIFY(rows.isVisibleTo(&window));
    QCOMPARE(rows.findChild<QDoubleSpinBox*>("threshold")->text(), QString("-1e+09"));
  }

  void a_matrix_is_read_as_one_or_the_other() {
    ReadingRows rows;
    QSignalSpy chosen(&rows, &ReadingRows::readingChosen);
    rows.show({.has_two_readings = true, .samples = 3, .queries = 3});
    auto* as = rows.findChild<QComboBox*>("readAs");
    QCOMPARE(as->itemText(0), QString("attention_mask of 3 samples"));
    QCOMPARE(as->itemText(1), QString("mask of 3 queries"));
    QCOMPARE(as->currentIndex(), 0);
    QVERIFY(chosen.isEmpty());
    emit as->activated(1);
    QCOMPARE(chosen.takeFirst(), QVariantList{true});
  }

  /// The boxes and the strip choose the same; showing a choice is none.
  void samples_and_heads() {
    ReadingRows rows;
    QSignalSpy chosen(&rows, &ReadingRows::sampleChosen);
    rows.show({.overview = {.samples = 4, .heads = 2, .sample = 1, .head = 1}});
    QVERIFY(chosen.isEmpty());
    auto* batch = rows.findChild<QSpinBox*>("batch");
    QCOMPARE(batch->maximum(), 3);
    batch->setValue(3);
    QCOMPARE(chosen.takeFirst(), (QVariantList{QVariant::fromValue(Index{3}), QVariant::fromValue(Index{1})}));
    emit rows.findChild<SampleStrip*>()->picked(0, 0);
    QCOMPARE(chosen.takeFirst(), (QVariantList{QVariant::fromValue(Index{0}), QVariant::fromValue(Index{0})}));
  }
};

VQSCOPE_TEST(ReadingRowsTest)
#include "reading_rows_test.moc"
