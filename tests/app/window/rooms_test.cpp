// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "widgets/model/model_view.h"
#include "widgets/page/model_page.h"
#include "widgets/page/plain_pages.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/panel/subject_bar.h"
#include "widgets/panel/view_list.h"
#include "widgets/parts/message_bar.h"
#include "widgets/start/start_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

class TimerCount : public QObject {
 public:
  int count = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Timer) ++count;
    return false;
  }
};

struct ShownRooms {
  MainWindow window;

  ShownRooms() {
    window.show();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000); }
  Workbench& bench() { return window.workbench(); }
  const ShownPage& page(const char* id) { return bench().page(id); }
  ViewList* list() {
    for (auto* list : window.findChildren<ViewList*>())
      if (list->isVisible()) return list;
    return nullptr;
  }
  void turnTo(const QString& side) {
    for (auto* button : window.currentPanel()->findChildren<QAbstractButton*>())
      if (button->text() == side) return button->click();
    QFAIL("no such side");
  }
  QString shownMessage() { return window.findChild<MessageBar*>()->sentence(); }
};

}  // namespace

class RoomsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }

  /// The window starts with the question what one has; there are no parameters beside it.
  void itStartsOnTheStartPage() {
    ShownRooms s;
    QCOMPARE(s.bench().session().current, std::string("start"));
    QVERIFY(qobject_cast<StartPage*>(s.window.currentPage()));
    QVERIFY(!s.window.currentPanel()->isVisible());
    s.bench().showPage("masks");
    QVERIFY(s.window.currentPanel()->isVisible());
    QVERIFY(!s.list());
  }

  /// The mark of the focus moves with the room.
  void theTabOfTheRoomHasTheFocus() {
    ShownRooms s;
    const auto tabs = [&] {
      QList<QAbstractButton*> checked;
      for (auto* button : s.window.findChildren<QAbstractButton*>())
        if (button->property("room").isValid() && button->isChecked()) checked << button;
      return checked;
    };
    tabs().first()->setFocus();
    s.bench().showPage("masks");
    QCOMPARE(tabs().size(), qsizetype{1});
    QCOMPARE(s.window.focusWidget(), tabs().first());
  }

  /// Positions lists each encoding and scaling; choosing a scaling sets it for the whole window.
  void positionsListsEncodingsAndScalings() {
    ShownRooms s;
    s.bench().showPage("rotary");
    s.settle();
    ViewList* list = s.list();
    QVERIFY(list && list->shown());
    const auto& subjects = list->subjects();
    const auto yarn = std::ranges::find(subjects, QStringLiteral("yarn"), &ListedSubject::id);
    QVERIFY(yarn != subjects.end());
    emit list->viewRequested(yarn->views.front());
    s.settle();
    QCOMPARE(s.page("rotary").values.choice("rope_type"), std::string("yarn"));
    QCOMPARE(s.page("precision").values.choice("rope_type"), std::string("yarn"));
    QCOMPARE(list->shown()->id, QString("yarn"));
    QVERIFY(!s.page("rotary").own.find("rope_type"));
  }

  /// The list is that of the side that the form shows, and a line of it goes there.
  void listFollowsTheSideOfTheForm() {
    ShownRooms s;
    s.bench().showPage("rotary");
    ShownPage compared = s.page("rotary");
    compared.compare = CompareMode::difference;
    QVERIFY(s.bench().edit("Compare", compared));
    s.settle();
    s.turnTo("B");
    ViewList* list = s.list();
    const auto yarn = std::ranges::find(list->subjects(), QStringLiteral("yarn"), &ListedSubject::id);
    emit list->viewRequested(yarn->views.front());
    s.settle();
    QCOMPARE(s.page("rotary").other.choice("rope_type"), std::string("yarn"));
    QCOMPARE(s.page("rotary").values.choice("rope_type"), std::string("default"));
    QCOMPARE(list->shown()->id, QString("yarn"));
    const auto cosine = std::ranges::find(yarn->views, QStringLiteral("cos"), &ListedView::title);
    QVERIFY(cosine != yarn->views.end());
    emit list->viewRequested(*cosine);
    s.settle();
    QCOMPARE(s.page("rotary").method, std::string("rope_cos"));
    QCOMPARE(s.page("rotary").other.choice("rope_type"), std::string("yarn"));
    QCOMPARE(s.page("rotary").values.choice("rope_type"), std::string("default"));
    s.turnTo("A");
    QVERIFY(list->shown()->id != "yarn");
  }

  /// Every view of every line of a list can be opened, and marks its line.
  void everyListedViewOpens() {
    ShownRooms s;
    for (const char* page : {"rotary", "vq"}) {
      if (!find_page_info(page)) continue;
      s.bench().showPage(page);
      ViewList* list = s.list();
      QVERIFY(list);
      for (const auto& subject : list->subjects())
        for (const auto& view : subject.views) {
          emit list->viewRequested(view);
          QVERIFY2(s.bench().current().method == view.method->id, view.method->id.c_str());
          QVERIFY2(list->shown(), qPrintable(subject.id));
        }
    }
  }

  /// No timer runs on and on behind a page that has nothing to do.
  void idlePagesRunNoTimers() {
    ShownRooms s;
    TimerCount timers;
    qApp->installEventFilter(&timers);
    for (const auto& info : page_infos()) {
      s.bench().showPage(info.id);
      s.settle();
      for (int i = 0; i < 10; ++i) QApplication::processEvents();
      timers.count = 0;
      for (int i = 0; i < 100; ++i) QApplication::processEvents();
      QVERIFY2(timers.count < 50, info.id.c_str());
    }
    qApp->removeEventFilter(&timers);
  }

  /// A config is the model of every page, masks included, in one step.
  void configSetsTheModelOfEveryPage() {
    ShownRooms s;
    const Session before = s.bench().session();
    s.window.openFile(":/configs/gemma-3-27b.json");
    s.settle();
    QCOMPARE(s.bench().session().current, std::string("model"));
    const auto* model = qobject_cast<ModelPage*>(s.window.currentPage());
    QVERIFY(model && model->report());
    QCOMPARE(model->view()->schedule().layers.size(), std::size_t{62});
    QCOMPARE(s.bench().session().subject.model, std::string("gemma-3-27b"));
    QCOMPARE(s.page("masks").values.choice("mask"), std::string("sliding_window"));
    QCOMPARE(s.page("masks").values.integer("sliding_window"), Index{1024});
    QCOMPARE(s.page("rotary").values.real("rope_theta"), 1e6);
    QCOMPARE(s.bench().undoStack().count(), 1);
    s.bench().undo();
    QCOMPARE(s.bench().session().subject, before.subject);
    QCOMPARE(s.page("masks"), shown_page(before, "masks"));
  }

  /// A layer opens its mask and its phases.
  void aLayerOpensItsMaskAndPhases() {
    ShownRooms s;
    s.window.openFile(":/configs/gemma-3-27b.json");
    const auto* model = qobject_cast<ModelPage*>(s.window.currentPage());
    emit model->view()->maskRequested(5);
    QCOMPARE(s.bench().session().current, std::string("masks"));
    QCOMPARE(s.page("masks").values.choice("mask"), std::string("causal"));
    QCOMPARE(s.page("masks").values.integer("sliding_window"), Index{0});
    s.bench().showPage("model");
    emit model->view()->phasesRequested(0);
    QCOMPARE(s.bench().current().method, std::string("rope_phase"));
    QCOMPARE(s.bench().current().values.real("rope_theta"), 1e4);
  }

  void theGalleryOpensFromTheStartPage() {
    ShownRooms s;
    const auto* start = qobject_cast<StartPage*>(s.window.currentPage());
    for (const auto& entry : gallery_entries()) {
      if (!entry.shown.method || entry.page == "experiments") continue;
      emit start->view()->galleryRequested(QString::fromStdString(entry.id));
      QCOMPARE(s.bench().current().method, entry.shown.method->id);
      QVERIFY2(s.shownMessage().startsWith(QString::fromStdString(entry.note)), entry.id.c_str());
    }
    s.settle();
  }

  /// Subject values that a page cannot have do not prevent it from being shown.
  void theSubjectReachesTheShownPage() {
    ShownRooms s;
    s.bench().showPage("masks");
    s.settle();
    Subject subject = s.bench().session().subject;
    subject.values.set("q_length", Index{2097152});
    QVERIFY(s.bench().editSubject("T", subject));
    s.settle();
    QCOMPARE(s.window.currentPage()->extent()->rows, Index{2097152});
    for (const char* page : {"vq", "memory", "model", "curves"}) {
      if (!find_page_info(page)) continue;
      s.bench().showPage(page);
      const auto checked = check_page(s.bench().current());
      QVERIFY2(checked, page);
    }
  }
};

VQSCOPE_TEST(RoomsTest)
#include "rooms_test.moc"
