// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_model.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/test_main.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

LayerSchedule eight() {
  return parse_layers("2*(3*sliding:64,full rope=1); all kv_heads=2 head_dim=16; rope; rope rope_theta=1000000")
      .value();
}

QString wordsAt(const LayerModel& model, int row, LayerModel::Column column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class LayerModelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Qt's own checks of rows, columns and signals.
  void isAWellFormedModel() {
    LayerModel model(nullptr);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSchedule(eight());
    model.setTokens(1000);
    model.setFolded(true);
    model.setTokens(2000);
    model.setSchedule({});
    QCOMPARE(model.rowCount(), 0);
    model.setTokens(3000);
    model.setFolded(false);
    model.setSchedule(eight());
    QCOMPARE(model.rowCount(), 8);
  }

  /// A run of equal layers is one row, and each layer is in exactly one row.
  void foldingKeepsEveryLayer() {
    LayerModel model(nullptr);
    model.setSchedule(eight());
    for (const bool folded : {false, true}) {
      model.setFolded(folded);
      QCOMPARE(model.rowCount(), folded ? 4 : 8);
      Index next = 0;
      for (int row = 0; row < model.rowCount(); ++row) {
        QCOMPARE(model.layersOf(row).begin, next);
        for (Index layer = next; layer < model.layersOf(row).end; ++layer) QCOMPARE(model.rowOf(layer), row);
        next = model.layersOf(row).end;
      }
      QCOMPARE(next, Index{8});
      QCOMPARE(model.rowOf(8), -1);
      QCOMPARE(model.rowOf(-1), -1);
    }
    QCOMPARE(wordsAt(model, 0, LayerModel::number), QString("0–2"));
    QCOMPARE(wordsAt(model, 1, LayerModel::number), QString("3"));
  }

  /// Alone and as a multiple: 2 · 2 heads · 16 dimensions · 2 bytes a token, of 64 or all.
  void cachesOfARowAreCounted() {
    LayerModel model(nullptr);
    model.setSchedule(eight());
    model.setTokens(1024);
    QCOMPARE(wordsAt(model, 0, LayerModel::cache), QString("8 KiB"));
    QCOMPARE(wordsAt(model, 3, LayerModel::cache), QString("128 KiB"));
    model.setFolded(true);
    QCOMPARE(wordsAt(model, 0, LayerModel::cache), QString("3 × 8 KiB"));
    QSignalSpy changed(&model, &LayerModel::dataChanged);
    model.setTokens(2048);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(wordsAt(model, 1, LayerModel::cache), QString("256 KiB"));
    model.setTokens(2048);
    QCOMPARE(changed.size(), 1);
  }

  void columnsWithoutContentAreEmpty() {
    LayerModel model(nullptr);
    model.setSchedule(eight());
    QVERIFY(model.isEmpty(LayerModel::scaling));
    QVERIFY(model.isEmpty(LayerModel::extra));
    QVERIFY(!model.isEmpty(LayerModel::theta));
    QVERIFY(!model.isEmpty(LayerModel::mask));
  }

  void accessibleTextAndToolTip() {
    LayerModel model(nullptr);
    model.setSchedule(eight());
    model.setTokens(1024);
    const QModelIndex mask = model.index(0, LayerModel::mask);
    QCOMPARE(mask.data(Qt::AccessibleTextRole).toString(), QString("mask window 64"));
    QVERIFY(mask.data(Qt::ToolTipRole).toString().startsWith("Layer 0: window 64"));
    QCOMPARE(static_cast<const ModelLayer*>(mask.data(LayerModel::layerRole).value<const void*>())->window, Index{64});
    QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    QCOMPARE(model.headerData(LayerModel::cache, Qt::Horizontal, Qt::DisplayRole).toString(), QString("cache"));
    QVERIFY(model.headerData(LayerModel::cache, Qt::Horizontal, Qt::ToolTipRole).toString().contains("1\u202f024"));
    QVERIFY(!model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
  }
};

VQSCOPE_TEST(LayerModelTest)
#include "layer_model_test.moc"
