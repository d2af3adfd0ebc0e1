// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of one method that stand in the place of one.
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/page/shown_field.h"
#include "widgets/theme/palette.h"

#include <QTabBar>
#include <QToolButton>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class LinkedFieldMapsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Where nothing is compared a method's linked maps stand in the place of the one.
  void linkedMapsStandBesideEachOther() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(1500, 600);  // for a row of maps
    s.change([](ShownPage& state) {
      state.method = "vq_weights";
      state.values.set("q_length", Index{128});
    });
    const auto maps = s.page.maps();
    QCOMPARE(maps.size(), std::size_t{3});
    QCOMPARE(s.maps().size(), std::size_t{3});
    const char* const titles[] = {"with keys", "with codewords", "difference"};
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(maps[i]->content().title, QString(titles[i]));
    QCOMPARE(maps[0]->content().subtitle, QString("T 128"));  // without "exact": the title says it
    const auto at = [&](std::size_t map, Index row, Index col) { return maps[map]->content().field->at(row, col); };
    QCOMPARE(at(2, 90, 17), at(1, 90, 17) - at(0, 90, 17));
    QVERIFY2(at(2, 90, 17) != 0, "codewords are not the keys");
    QCOMPARE(maps[0]->content().scale.low, 0.0);
    QCOMPARE(maps[2]->content().scale.low, -maps[2]->content().scale.high);
  }

  void linkedMapsShareCursorAndRange() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(1500, 600);  // for a row of maps
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    for (MatrixView* from : s.page.maps()) {
      Plot plot(*from);
      wheel(plot.widget(), plot.rect().center(), 2);
      QVERIFY(from->range());
      for (const auto* each : s.page.maps()) QCOMPARE(each->visibleRange(), from->visibleRange());
      QCOMPARE(s.state().view, from->range());
      s.page.fit();
      moveMouse(plot.widget(), plot.rect().center());
      s.settle();
      QCOMPARE(s.fact("map"), from->content().title.toStdString());
      for (auto* each : s.page.maps()) QCOMPARE(Plot(*each).cursorLines(), 2);
    }
    QCOMPARE(s.method, std::string("vq_weight_error"));
    s.settle();
    QVERIFY(s.page.goTo({300, 200}));
    for (const auto* each : s.page.maps()) QCOMPARE(each->picked(), std::optional(Cell{300, 200}));
    s.settle();
    QCOMPARE(s.fact("map"), std::string("with keys"));
  }

  void linkedMapsAreExportedOneByOne() {
    NEEDS_LAB();
    ShownField s("vq");
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    const auto targets = s.page.exportTargets();
    QVERIFY(targets.size() >= 3);
    QCOMPARE(targets[0].name, std::string("with keys"));
    QCOMPARE(targets[0].values.choice("weights"), std::string("exact"));
    QCOMPARE(targets[1].values.choice("weights"), std::string("quantised"));
    QCOMPARE(targets[2].method->id, std::string("vq_weight_error"));
    std::vector<std::string> requested;
    connect(&s.page, &PageWidget::exportRequested, this,
            [&](const ExportTarget& target) { requested.push_back(target.name); });
    for (auto* view : s.page.maps())
      for (auto* button : view->header()->findChildren<QToolButton*>())
        if (button->toolTip() == "Export this map") button->click();
    QCOMPARE(requested, (std::vector<std::string>{"with keys", "with codewords", "difference"}));
  }

  /// Three maps in a narrow page stand in two rows, and the curves take the place that is left.
  void linkedMapsWrap() {
    NEEDS_LAB();
    ShownField s("vq");
    s.change([](ShownPage& state) { state.method = "vq_weight_error"; });
    s.page.resize(850, 700);
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    QVERIFY2(std::abs(s.page.maps()[2]->width() - s.page.maps()[1]->width()) < 3, "halves at once");
    const auto top = [&](std::size_t map) {
      const MatrixView* view = s.page.maps()[map];
      return view->mapTo(&s.page, QPoint(0, 0)).y();
    };
    const auto* profiles = s.page.findChild<ProfileColumn*>();
    s.page.resize(400, 400);
    s.page.resize(850, 700);
    s.settle();
    QCOMPARE(top(1), top(0));
    QVERIFY(top(2) > top(1));
    QVERIFY(profiles->isVisible() && profiles->mapTo(&s.page, QPoint(0, 0)).y() == top(2));
    QVERIFY2(std::abs(profiles->width() - s.page.maps()[2]->width()) < 3, "halves");
    // Where halves are too small, one is in front, with tabs for the others and the curves.
    auto* tabs = s.page.findChild<QTabBar*>();
    for (const QSize low : {QSize(850, 650), QSize(650, 700), QSize(430, 340)}) {
      s.page.resize(low);
      QVERIFY2(tabs->isVisible(), qPrintable(QStringLiteral("%1x%2").arg(low.width()).arg(low.height())));
    }
    QCOMPARE(tabs->count(), 4);
    QVERIFY(s.page.maps()[0]->height() > 280 && !s.page.maps()[1]->isVisible() && !profiles->isVisible());
    tabs->setCurrentIndex(1);
    QVERIFY(s.page.maps()[1]->isVisible() && !s.page.maps()[0]->isVisible());
    tabs->setCurrentIndex(3);
    QVERIFY(profiles->isVisible() && !s.page.maps()[1]->isVisible());
    QVERIFY2(profiles->findChild<CurveView*>()->height() >= 200, "curves have the place of the map, and scroll");
    s.settle();
    QVERIFY(s.page.goTo({3, 2}));
    QVERIFY(s.page.maps()[0]->isVisible());
    s.page.resize(1500, 600);
    s.settle();
    QVERIFY(!tabs->isVisible());
    QCOMPARE(top(2), top(0));
    QVERIFY(profiles->isVisible());
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other = state.values;
    });
    QCOMPARE(s.page.maps().size(), std::size_t{2});
    QCOMPARE(s.page.maps()[0]->content().title, QString("A"));
    s.change([](ShownPage& state) {
      state.method = "vq_weight_error";
      state.compare = CompareMode::none;
    });
    QCOMPARE(s.page.maps().size(), std::size_t{1});
    QCOMPARE(s.maps().size(), std::size_t{1});
  }

  /// Not every map and curve repeats it.
  void oneMapSaysAnError() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(850, 700);
    s.settle();
    s.page.setDraftProblem("n_code is 0");
    const auto said = [&] {
      const auto labels = s.page.findChildren<QLabel*>();
      return std::ranges::count_if(
          labels, [](const QLabel* label) { return label->isVisible() && label->text().contains("n_code is 0"); });
    };
    QTRY_COMPARE(said(), 1);
  }
};

VQSCOPE_TEST(LinkedFieldMapsTest)
#include "linked_field_maps_test.moc"
