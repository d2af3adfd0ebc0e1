// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/curve_page.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct Shown {
  Workbench bench;
  CurvePage page{bench, *find_page_info("curves"), nullptr};

  Shown() {
    QObject::connect(&bench, &Workbench::changed, &page, &CurvePage::sync);
    page.resize(1000, 600);
    page.sync();
    page.show();
    settle();
  }
  void show(const char* method, std::optional<Index> length = {}) {
    ShownPage next = bench.page("curves");
    next.method = method;
    if (length) next.values.set("q_length", *length);
    QVERIFY(bench.edit("show", next));
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 120000); }
  /// The large one first.
  std::vector<CurveView*> views() const {
    std::vector<CurveView*> shown;
    for (auto* view : page.findChildren<CurveView*>())
      if (view->isVisible()) shown.push_back(view);
    std::ranges::sort(shown, std::ranges::greater(), [](const CurveView* view) { return view->height(); });
    return shown;
  }
};

}  // namespace

class CurvePageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void theChosenCurvesAndTheirCompanions() {
    Shown s;
    QCOMPARE(s.page.mainMethod()->id, std::string("rope_score"));
    QCOMPARE(s.views().size(), 1 + s.page.mainMethod()->curves()->related.size());
    QCOMPARE(s.page.exportTargets().size(), s.views().size());
    for (const auto* view : s.views()) QVERIFY(!view->curves().x.empty());
  }

  void anotherChoiceShowsOthers() {
    Shown s;
    s.show("bias_prior");
    QCOMPARE(s.views().size(), std::size_t{1});
    QCOMPARE(s.views().front()->curves().x_name, std::string("length"));
    QVERIFY(s.views().front()->width() > 900);
    s.bench.undoStack().undo();
    s.settle();
    QVERIFY(s.views().size() > 1);
    QCOMPARE(s.views().front()->curves().x_name, std::string("relative_distance"));
  }

  void aNarrowPageHasTabs() {
    Shown s;
    auto* tabs = s.page.findChild<QTabBar*>();
    QVERIFY(!tabs->isVisible());
    s.page.resize(535, 560);
    QVERIFY(tabs->isVisible());
    QCOMPARE(tabs->count(), static_cast<int>(s.page.exportTargets().size()));
    QCOMPARE(s.views().size(), std::size_t{1});
    QTRY_VERIFY(s.views().front()->width() > 500);
    tabs->setCurrentIndex(1);
    QCOMPARE(s.views().size(), std::size_t{1});
    QVERIFY(s.views().front()->curves().x_name != "relative_distance");
    s.show("bias_prior");
    QVERIFY(!tabs->isVisible() && s.views().size() == 1);
  }

  void everyCurveOfThePageCanBeChosen() {
    Shown s;
    s.show("rope_score", 512);  // a search over bases takes its time
    for (const auto& id : s.page.info().choices()) {
      s.show(id.c_str());
      QCOMPARE(s.page.mainMethod()->id, id);
      QVERIFY2(!s.views().front()->curves().x.empty(), id.c_str());
    }
  }

  /// Keys reach it where it was hidden while another window was active.
  void hiddenViewDoesNotExport() {
    Shown s;
    QSignalSpy requested(&s.page, &CurvePage::exportRequested);
    auto* hidden = s.views().back();
    auto* button = hidden->header()->findChildren<QToolButton*>().back();
    s.show("bias_prior");
    QVERIFY(!hidden->isVisible());
    button->click();
    emit hidden->axesChosen({});
    emit hidden->readoutChanged(CellReport{});
    QCOMPARE(requested.count(), 0);
  }

  void headersShowTheOriginOfTheNumbers() {
    Shown s;
    const auto tip = s.views().front()->header()->toolTip();
    QVERIFY2(tip.contains("geometry") && tip.contains("Su et al. 2021"), qPrintable(tip));
  }
};

VQSCOPE_TEST(CurvePageTest)
#include "curve_page_test.moc"
