// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/model_view.h"

#include "core/schedule/cache/layer_cache.h"
#include "core/schedule/text/layer_texts.h"
#include "tests/support/mouse.h"
#include "tests/support/test_main.h"
#include "widgets/model/cache_panel.h"
#include "widgets/model/layer_table.h"
#include "widgets/model/model_findings.h"
#include "widgets/model/reach_panel.h"
#include "widgets/parts/tabbed_column.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace vqscope;

namespace {

LayerSchedule layers(std::string_view text) { return parse_layers(text).value(); }

const LayerSchedule& gemma() {
  static const LayerSchedule made = layers(
      "10*(5*sliding:1024,full rope=1),2*sliding:1024; all kv_heads=16 head_dim=128; rope rope_theta=10000;"
      "rope rope_theta=1000000 rope_type=linear factor=8");
  return made;
}

SequenceOfLayers packed() {
  SequenceOfLayers sequence = SequenceOfLayers::plain(131072);
  sequence.document_lengths = {65536, 65536};
  return sequence;
}

/// The text of the start page for a model without layers.
QString reason(const ModelView& view) {
  for (auto* label : view.widget(0)->findChildren<QLabel*>())
    if (label->property("class").toString() == "warning") return label->isHidden() ? QString() : label->text();
  return QStringLiteral("no place for a reason");
}

struct Shown {
  ModelView view;

  explicit Shown(const LayerSchedule& schedule = gemma(), SequenceOfLayers sequence = SequenceOfLayers::plain(131072)) {
    view.resize(1400, 800);
    view.setSequence(sequence);
    view.setSchedule(schedule, QStringLiteral("gemma"));
    view.show();
  }
  QTableView& table() { return *view.table().findChild<QTableView*>(); }
  ReachView& picture() { return view.reach().view(); }
};

}  // namespace

class ModelViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void emptyViewOffersToOpenAModel() {
    ModelView view;
    view.show();
    QSignalSpy open(&view, &ModelView::openRequested), sample(&view, &ModelView::sampleRequested);
    QCOMPARE(view.currentIndex(), 0);
    for (auto* button : view.findChildren<QPushButton*>())
      if (button->isVisibleTo(&view)) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(open.size(), 1);
    QVERIFY(sample.size() >= 5);
    QVERIFY(sample.front().front().toString().startsWith(QStringLiteral(":/configs/")));
    ConfigReport report;
    report.summary = "an unknown family";
    view.setModel(&report, QStringLiteral("my model"));
    QCOMPARE(view.currentIndex(), 0);
    report.schedule = gemma();
    view.setModel(&report, QStringLiteral("my model"));
    QCOMPARE(view.currentIndex(), 1);
    view.setModel(nullptr, {});
    QCOMPARE(view.currentIndex(), 0);
  }

  /// A model that is gone leaves nothing behind: neither its layers nor the reason why another had
  /// none.
  void removedModelClearsTheView() {
    Shown s;
    s.table().selectRow(5);
    ConfigReport report;
    report.summary = "an unknown family";
    s.view.setModel(&report, QStringLiteral("my model"));
    QVERIFY(reason(s.view).startsWith("The layers of my model are not known"));
    s.view.setModel(nullptr, {});
    QCOMPARE(reason(s.view), QString());
    QCOMPARE(s.table().model()->rowCount(), 0);
    QCOMPARE(s.view.table().currentLayer(), Index{-1});
    QVERIFY(!s.view.reach().content());
    QCOMPARE(s.view.query(), Index{-1});
    QCOMPARE(s.view.findChild<CachePanel*>()->summary().trimmed(), QString());
    QSignalSpy mask(&s.view, &ModelView::maskRequested), moved(&s.view, &ModelView::queryMoved);
    for (auto* button : s.view.table().findChildren<QPushButton*>()) button->click();
    QTest::keyClick(&s.table(), Qt::Key_Return);
    s.view.reach().moveQuery(3);
    QCOMPARE(mask.size() + moved.size(), 0);
    s.view.setSchedule(gemma(), QStringLiteral("gemma"));
    QCOMPARE(s.table().model()->rowCount(), 62);
    QCOMPARE(s.view.query(), Index{131071});
  }

  void layersHaveARowEach() {
    Shown s;
    QCOMPARE(s.table().model()->rowCount(), 62);
    const auto cell = [&](int row, int column) { return s.table().model()->index(row, column).data().toString(); };
    QCOMPARE(cell(5, 1), QString("full"));
    QCOMPARE(cell(5, 2), QString("RoPE half"));
    QCOMPARE(cell(5, 3), QString("1\u202f000\u202f000"));
    QCOMPARE(cell(5, 4), QString("linear 8"));
    QCOMPARE(cell(0, 7), QString("8 MiB"));
    QCOMPARE(cell(5, 7), QString("1 GiB"));
    QCOMPARE(scheduleSummary(gemma()), QString("62 layers: 52 window 1\u202f024, 10 full"));
    s.view.table().setFolded(true);
    QCOMPARE(s.table().model()->rowCount(), 21);
    QCOMPARE(cell(0, 0), QString("0–4"));
    QCOMPARE(cell(0, 7), QString("5 × 8 MiB"));
  }

  void aLayerOpensItsMaskAndPhases() {
    Shown s;
    QSignalSpy mask(&s.view, &ModelView::maskRequested), phases(&s.view, &ModelView::phasesRequested);
    s.table().selectRow(5);
    QTest::keyClick(&s.table(), Qt::Key_Return);
    QCOMPARE(mask.takeFirst().front().toInt(), 5);
    for (auto* button : s.view.table().findChildren<QPushButton*>()) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(mask.takeFirst().front().toInt(), 5);
    QCOMPARE(phases.takeFirst().front().toInt(), 5);
    QTest::mouseDClick(&s.picture(), Qt::LeftButton, {}, {200, s.picture().height() - 4});
    QCOMPARE(mask.takeFirst().front().toInt(), 61);
  }

  void pictureAndTableShowTheSameLayer() {
    Shown s;
    QTest::mouseClick(&s.picture(), Qt::LeftButton, {}, {200, s.picture().height() - 4});
    QCOMPARE(s.view.table().currentLayer(), Index{61});
    s.picture().setFocus();
    QTest::keyClick(&s.picture(), Qt::Key_Up);
    QCOMPARE(s.view.table().currentLayer(), Index{60});
  }

  void theWheelZoomsIntoTokens() {
    Shown s;
    test::wheel(&s.picture(), QPointF(s.picture().width() / 2.0, 100), 4);
    const auto [first, last] = s.picture().shownTokens();
    QVERIFY(first > 0 && last < 131072 && last - first < 131072 / 2.0);
    s.view.setQuery(100000);  // the view of the tokens stays
    QCOMPARE(s.picture().shownTokens(), std::pair(first, last));
    s.view.setSequence(SequenceOfLayers::plain(2097152));
    QCOMPARE(s.picture().shownTokens(), std::pair(0.0, 2097152.0));
  }

  void queryAtTheEndFollowsTheLength() {
    Shown s;
    QCOMPARE(s.view.query(), Index{131071});
    s.view.setSequence(SequenceOfLayers::plain(2097152));
    QCOMPARE(s.view.query(), Index{2097151});
    s.view.setQuery(7);
    s.view.setSequence(SequenceOfLayers::plain(131072));
    QCOMPARE(s.view.query(), Index{7});
  }

  void findingsAreCards() {
    SequenceOfLayers sequence = packed();
    sequence.keeps_documents[0] = false;
    Shown s(gemma(), sequence);
    const auto cards = s.view.findings().findChildren<FindingCard*>();
    QCOMPARE(cards.front()->accessibleName(), QString("Documents meet from layer 5 on"));
    QVERIFY(cards.front()->accessibleDescription().contains("token 65\u202f536 of document 1"));
    QTest::mouseClick(cards.front(), Qt::LeftButton);
    QCOMPARE(s.view.query(), Index{65536});
    QCOMPARE(s.view.table().currentLayer(), Index{5});
  }

  void sequenceThatDoesNotFitShowsNoPicture() {
    SequenceOfLayers sequence = packed();
    sequence.document_lengths = {3, 4};
    Shown s(gemma(), sequence);
    QVERIFY(!s.view.reach().content());
    QCOMPARE(s.view.query(), Index{-1});
    s.view.setSequence(packed());
    QVERIFY(s.view.reach().content());
  }

  void cacheIsCounted() {
    CachePanel panel;
    panel.setModel(gemma(), 131072);
    QVERIFY2(panel.summary().startsWith(
                 "62 layers keep 10.4 GiB of 131\u202f072 tokens; 62 GiB if all attention layers were full."),
             qPrintable(panel.summary()));
    panel.setModel(all_full(gemma()), 131072);
    QVERIFY2(!panel.summary().contains("if all"), qPrintable(panel.summary()));
    panel.setModel(gemma(), 131072);
    panel.setMemory(1048576);
    QVERIFY(panel.summary().contains("2\u202f147\u202f483\u202f648"));
  }

  /// Table and findings, reach and cache are too low to be of use beside each other.
  void partsOfALowViewAreTabs() {
    Shown s(gemma(), packed());
    s.view.resize(700, 300);
    const auto columns = s.view.findChildren<TabbedColumn*>();
    QCOMPARE(columns.size(), 2);
    for (const auto* column : columns) QVERIFY(column->hasTabs());
    QVERIFY(s.view.table().isVisible() && s.view.reach().isVisible() && !s.view.findings().isVisible());
    s.view.resize(1400, 800);
    for (const auto* column : columns) QVERIFY(!column->hasTabs());
    QVERIFY(s.view.findings().isVisible());
  }

  void everyLayerOfLargeModelsIsPainted() {
    LayerSchedule schedule;
    for (int l = 0; l < 1000; ++l)
      schedule.layers.push_back(l % 2 == 0 ? ModelLayer{.attention = LayerAttention::state} : ModelLayer{});
    Shown s(schedule, packed());
    QVERIFY(!s.view.grab().isNull());
    s.view.resize(700, 500);  // the findings move under the table
    QVERIFY(!s.view.grab().isNull());
  }
};

VQSCOPE_TEST(ModelViewTest)
#include "model_view_test.moc"
