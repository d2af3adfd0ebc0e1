// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_table.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/test_main.h"
#include "widgets/model/layer_model.h"
#include "widgets/model/layer_words.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace vqscope;

namespace {

struct ShownTable {
  LayerTable table;
  QSignalSpy chosen{&table, &LayerTable::layerChosen}, mask{&table, &LayerTable::maskRequested},
      phases{&table, &LayerTable::phasesRequested};

  explicit ShownTable(const char* layers = "3*sliding:64,full nope; rope") {
    table.resize(700, 400);
    table.setSchedule(parse_layers(layers).value());
    table.show();
  }
  QTableView& view() { return *table.findChild<QTableView*>(); }
  QPushButton* button(const QString& words) {
    for (auto* each : table.findChildren<QPushButton*>())
      if (each->text() == words) return each;
    return nullptr;
  }
};

}  // namespace

class LayerTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void buttonsAreOfTheCurrentLayer() {
    ShownTable s;
    QVERIFY(!s.button("Show mask")->isEnabled() && !s.button("Show phases")->isEnabled());
    s.view().selectRow(1);
    QCOMPARE(s.table.currentLayer(), Index{1});
    QCOMPARE(s.chosen.last()[0].toInt(), 1);
    s.button("Show mask")->click();
    s.button("Show phases")->click();
    QCOMPARE(s.mask.last()[0].toInt(), 1);
    QCOMPARE(s.phases.last()[0].toInt(), 1);
    s.view().selectRow(3);  // no RoPE
    QVERIFY(s.button("Show mask")->isEnabled() && !s.button("Show phases")->isEnabled());
  }

  /// The layer was chosen elsewhere, so no signal is emitted.
  void showLayerEmitsNoSignal() {
    ShownTable s;
    s.table.showLayer(2);
    QCOMPARE(s.table.currentLayer(), Index{2});
    QCOMPARE(s.chosen.size(), 0);
    s.table.showLayer(-1);
    QCOMPARE(s.table.currentLayer(), Index{-1});
    QVERIFY(!s.button("Show mask")->isEnabled());
    s.table.showLayer(99);
    QCOMPARE(s.table.currentLayer(), Index{-1});
  }

  /// The layer stays current when rows fold, as the first of its row.
  void foldingKeepsTheLayer() {
    ShownTable s;
    s.table.showLayer(3);
    s.table.findChild<QCheckBox*>()->click();
    QCOMPARE(s.view().model()->rowCount(), 2);
    QCOMPARE(s.table.currentLayer(), Index{3});
    s.table.showLayer(2);
    QCOMPARE(s.table.currentLayer(), Index{0});
    QCOMPARE(s.chosen.size(), 0);
  }

  void anotherModelKeepsTheLayerWhereItCan() {
    ShownTable s;
    s.table.showLayer(3);
    s.table.setSchedule(parse_layers("6*full").value());
    QCOMPARE(s.table.currentLayer(), Index{3});
    s.table.setSchedule(parse_layers("2*full").value());
    QCOMPARE(s.table.currentLayer(), Index{-1});
    s.table.setSchedule({});
    QCOMPARE(s.view().model()->rowCount(), 0);
  }

  void emptyColumnsAreHidden() {
    ShownTable s("2*full nope");
    const int narrow = s.table.wholeWidth();
    s.table.setSchedule(parse_layers("2*full sink; rope rope_type=yarn factor=4").value());
    QVERIFY(s.table.wholeWidth() > narrow);
  }

  void aNarrowTableHasFewerColumns() {
    ShownTable s("6*sliding:1024; rope rope_type=linear factor=8");
    QVERIFY(!s.view().isColumnHidden(LayerModel::position));
    s.table.resize(340, 400);
    QVERIFY(s.view().isColumnHidden(LayerModel::position) && !s.view().isColumnHidden(LayerModel::cache));
    QTRY_COMPARE(s.view().horizontalScrollBar()->maximum(), 0);
    s.table.resize(s.table.wholeWidth(), 400);
    QVERIFY(!s.view().isColumnHidden(LayerModel::position));
    QTRY_COMPARE(s.view().horizontalScrollBar()->maximum(), 0);
  }

  void summaries() {
    const auto summary = [](const char* layers) { return scheduleSummary(parse_layers(layers).value()); };
    QCOMPARE(summary("full"), QString("1 layer: 1 full"));
    QCOMPARE(summary("2*(sliding:64,full)"), QString("4 layers: 2 window 64, 2 full"));
  }

  void wordsOfALayer() {
    const LayerSchedule schedule =
        parse_layers(
            "sliding:2048 two_sided,chunked:8192 rope=1,state,none,full nope,full positions=alibi; "
            "rope rope_type=yarn factor=32 rope_theta=500000; rope interleaved")
            .value();
    const auto& layers = schedule.layers;
    QCOMPARE(maskWords(layers[0]), QString("window 2\u202f048, both sides"));
    QCOMPARE(maskWords(layers[1]), QString("chunk 8\u202f192"));
    QCOMPARE(maskWords(layers[2]), QString("state"));
    QCOMPARE(maskWords(layers[3]), QString("no mixing"));
    QCOMPARE(positionWords(schedule, layers[0]), QString("RoPE half"));
    QCOMPARE(positionWords(schedule, layers[1]), QString("RoPE pairs"));
    QCOMPARE(positionWords(schedule, layers[4]), QString("none (NoPE)"));
    QCOMPARE(positionWords(schedule, layers[5]), QString("alibi"));
    QCOMPARE(thetaWords(schedule, layers[0]), QString("500\u202f000"));
    QCOMPARE(thetaWords(schedule, layers[4]), QString("–"));
    QCOMPARE(scalingWords(schedule, layers[0]), QString("yarn 32"));
    QCOMPARE(scalingWords(schedule, layers[1]), QString("–"));
    QCOMPARE(cacheWords(layers[3], 100), QString("–"));
    QCOMPARE(cacheWords(layers[4], 100), QString("?"));
    QCOMPARE(extraWords({.sink = true, .shares_kv_with = 18}), QString("sink, KV of layer 18"));
    QCOMPARE(cacheWords({.shares_kv_with = 18}, 100), QString("shared"));
  }
};

VQSCOPE_TEST(LayerTableTest)
#include "layer_table_test.moc"
