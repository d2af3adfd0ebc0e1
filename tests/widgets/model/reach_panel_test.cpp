// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_panel.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/test_main.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

using namespace vqscope;

namespace {

struct ShownReach {
  ReachPanel panel;

  explicit ShownReach(Index tokens, const char* layers = "2*(sliding:4,full); all kv_heads=1 head_dim=8") {
    panel.resize(900, 500);
    panel.setModel(parse_layers(layers).value(), SequenceOfLayers::plain(tokens));
    panel.show();
  }
  QSlider& slider() { return *panel.findChild<QSlider*>(); }
  QSpinBox& box() { return *panel.findChild<QSpinBox*>(); }
  std::vector<QCheckBox*> rules() {
    std::vector<QCheckBox*> shown;
    for (auto* box : panel.findChildren<QCheckBox*>())
      if (box->isVisible()) shown.push_back(box);
    return shown;
  }
  bool shows(const QString& words) {
    for (auto* label : panel.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
};

}  // namespace

class ReachPanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void theSliderStaysWhereItIsPut_data() {
    QTest::addColumn<Index>("tokens");
    for (const Index tokens : {Index{1}, Index{2}, Index{7}, Index{9999}, Index{10000}, Index{10001}, Index{10002},
                               Index{19999}, Index{131072}, Index{2097152}, Index{2147483647}})
      QTest::addRow("%lld", static_cast<long long>(tokens)) << tokens;
  }

  /// Each step is a token of its own, and gives itself back.
  void theSliderStaysWhereItIsPut() {
    QFETCH(Index, tokens);
    ShownReach s(tokens);
    QSlider& slider = s.slider();
    QCOMPARE(slider.value(), slider.maximum());
    QCOMPARE(Index{slider.maximum()}, std::min<Index>(10000, tokens - 1));
    Index before = -1;
    const int stride = std::max(1, slider.maximum() / 97);
    for (int step = 0; step <= slider.maximum(); step += stride) {
      slider.setValue(step);
      QCOMPARE(slider.value(), step);
      QVERIFY2(s.panel.query() > before, "two steps are one token");
      before = s.panel.query();
    }
    slider.setValue(slider.maximum());
    QCOMPARE(s.panel.query(), tokens - 1);
  }

  void everyKeyMovesTheQuery() {
    ShownReach s(131072);
    s.slider().setValue(0);
    s.slider().setFocus();
    Index before = s.panel.query();
    for (int i = 0; i < 20; ++i) {
      QTest::keyClick(&s.slider(), Qt::Key_Right);
      QVERIFY(s.panel.query() > before);
      before = s.panel.query();
    }
    QCOMPARE(s.slider().value(), 20);
    QTest::keyClick(&s.slider(), Qt::Key_Left);
    QVERIFY(s.panel.query() < before);
  }

  /// Until the slider is let go, the choice is not finished.
  void pressedSliderIsNotFinished() {
    ShownReach s(131072);
    QSignalSpy moved(&s.panel, &ReachPanel::queryMoved);
    s.slider().setSliderDown(true);
    for (const int at : {9000, 7000, 5000}) s.slider().setValue(at);
    QCOMPARE(moved.size(), 3);
    for (const auto& each : moved) QVERIFY(!each[1].toBool());
    s.slider().setSliderDown(false);
    QCOMPARE(moved.size(), 4);
    QVERIFY(moved.last()[1].toBool());
    QCOMPARE(moved.last()[0].value<Index>(), s.panel.query());
    s.slider().setValue(4000);
    QVERIFY(moved.last()[1].toBool());
  }

  void boxEmitsQueryMoved() {
    ShownReach s(600);
    QSignalSpy moved(&s.panel, &ReachPanel::queryMoved);
    s.box().setValue(17);
    QCOMPARE(moved.size(), 1);
    QCOMPARE(s.panel.query(), Index{17});
    QCOMPARE(s.slider().value(), 17);
    s.box().setValue(17);
    QCOMPARE(moved.size(), 1);
  }

  /// A value set by the session is no choice of the user.
  void setQueryDoesNotEmitQueryMoved() {
    ShownReach s(600);
    QSignalSpy moved(&s.panel, &ReachPanel::queryMoved), changed(&s.panel, &ReachPanel::changed);
    s.panel.setQuery(40);
    QCOMPARE(changed.size(), 1);
    s.panel.setQuery(9999);
    QCOMPARE(s.panel.query(), Index{599});
    s.panel.setModel(parse_layers("full").value(), SequenceOfLayers::plain(300));
    QCOMPARE(s.panel.query(), Index{299});
    QCOMPARE(moved.size(), 0);
    s.panel.moveQuery(3);
    QCOMPARE(moved.size(), 1);
  }

  /// Only of the kinds that the model has, and only where there are documents.
  void rulesOfDocuments() {
    ShownReach s(64);
    QVERIFY(s.rules().empty());
    SequenceOfLayers packed = SequenceOfLayers::plain(64);
    packed.document_lengths = {40, 24};
    s.panel.setModel(parse_layers("2*(sliding:4,full)").value(), packed);
    const auto rules = s.rules();
    QCOMPARE(rules.size(), std::size_t{2});
    QCOMPARE(rules[0]->text(), QString("full"));
    QCOMPARE(rules[1]->text(), QString("window"));
    QSignalSpy rule(&s.panel, &ReachPanel::documentRuleChanged), moved(&s.panel, &ReachPanel::queryMoved);
    const bool kept = rules[0]->isChecked();
    rules[0]->click();
    QCOMPARE(rule.size(), 1);
    QCOMPARE((rule[0][0].value<LayerKindFlags>()[0]), !kept);
    QCOMPARE(moved.size(), 0);  // the query is no part of the rule
  }

  void showsTheReachOfTheQuery() {
    ShownReach s(100, "full");
    QVERIFY(s.shows("100 tokens reach query 99: 0 to 99."));
    s.panel.setQuery(9);
    QVERIFY(s.shows("10 tokens reach query 9: 0 to 9."));
    s.panel.setQuery(0);
    QVERIFY(s.shows("one token reaches query 0: 0."));
    s.panel.setQuery(9);
    emit s.panel.view().pointed(ReachSpot{0, 4});
    QVERIFY(s.shows("Layer 0, token 4: "));
  }

  void documentsThatDoNotFitAreReported() {
    ShownReach s(64);
    SequenceOfLayers wrong = SequenceOfLayers::plain(64);
    wrong.document_lengths = {1, 2};
    s.panel.setModel(parse_layers("full").value(), wrong);
    QVERIFY(!s.panel.content());
    QVERIFY(s.shows("document"));
    s.panel.setModel({}, SequenceOfLayers::plain(64));
    QVERIFY(!s.shows("no layers"));
  }
};

VQSCOPE_TEST(ReachPanelTest)
#include "reach_panel_test.moc"
