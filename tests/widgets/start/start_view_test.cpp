// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_view.h"

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/gallery.h"
#include "core/catalogue/parts.h"
#include "tests/support/test_main.h"
#include "widgets/start/card.h"
#include "widgets/start/start_parts.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

Card* cardOf(const StartView& view, const QString& title) {
  for (auto* card : view.findChildren<Card*>())
    if (card->text() == title) return card;
  return nullptr;
}

void showAt(StartView& view, int width, int height) {
  view.resize(width, height);
  view.show();
  QVERIFY(QTest::qWaitForWindowExposed(&view));
  QCoreApplication::processEvents();
}

}  // namespace

class StartViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cardsEmitTheirRequest() {
    StartView view;
    for (const auto& [title, signal] : {std::pair{"A mask_mod", &StartView::maskTextRequested},
                                        {"A mask tensor", &StartView::maskFileRequested},
                                        {"A config.json", &StartView::configRequested},
                                        {"q, k, v", &StartView::tensorsRequested}}) {
      if (signal == &StartView::tensorsRequested && tensor_view().empty()) continue;
      QSignalSpy requested(&view, signal);
      QVERIFY(cardOf(view, title));
      cardOf(view, title)->click();
      QCOMPARE(requested.size(), 1);
    }
    QCOMPARE(cardOf(view, "A question") == nullptr, experiment_presets().empty());
    QCOMPARE(cardOf(view, "q, k, v") == nullptr, tensor_view().empty());
  }

  void galleryHasACardForEveryEntry() {
    StartView view;
    QSignalSpy requested(&view, &StartView::galleryRequested);
    for (const GalleryEntry& entry : gallery_entries()) {
      Card* card = cardOf(view, QString::fromStdString(entry.title));
      QVERIFY2(card, entry.id.c_str());
      QVERIFY(!card->accessibleDescription().isEmpty() && !card->toolTip().isEmpty());
      card->click();
      QCOMPARE(requested.back().front().toString(), QString::fromStdString(entry.id));
    }
  }

  void recentFilesAndGuide() {
    StartView view;
    view.setRecent({{"/data/mask.py", QDateTime::currentDateTime()}});
    view.setGuide({{"Is it right?", "masks", "is-it-right"}});
    QSignalSpy recent(&view, &StartView::recentRequested), guide(&view, &StartView::guideRequested);
    const auto rows = view.findChildren<LinkRow*>();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0]->text(), QString("mask.py"));
    QCOMPARE(rows[0]->accessibleName(), QString("mask.py, data · today"));
    for (auto* row : rows) row->click();
    QCOMPARE(recent.front().front().toString(), QString("/data/mask.py"));
    QCOMPARE(guide.front(), (QVariantList{"masks", "is-it-right"}));
    view.setRecent({});
    QCOMPARE(view.findChildren<LinkRow*>().size(), 1);
  }

  void lostSessionIsOffered() {
    StartView view;
    showAt(view, 1200, 800);
    auto* restore = view.findChild<QPushButton*>();
    QVERIFY(restore && !restore->isVisible());
    view.setLostSession("The last session ended without closing.");
    QVERIFY(restore->isVisible());
    QSignalSpy requested(&view, &StartView::restoreRequested);
    restore->click();
    QCOMPARE(requested.size(), 1);
    view.resize(800, 700);
    QCoreApplication::processEvents();
    QVERIFY(restore->isVisible());
    QVERIFY(restore->mapTo(&view, QPoint()).y() < 200);  // above the cards, without scrolling
    view.setLostSession({});
    QVERIFY(!restore->isVisible());
  }

  /// Nothing is cut at the sides, at any width; narrow windows scroll.
  void cardsWrap() {
    StartView view;
    view.setGuide({{"A question that is longer than the side of a narrow window is wide?", "masks", ""}});
    for (const int width : {640, 1100, 1440, 1600, 2560}) {
      showAt(view, width, 700);
      int columns = 0;
      const int top = cardOf(view, "Window off by one")->y();
      for (const auto* card : view.findChildren<Card*>()) {
        const QRect place(card->mapTo(&view, QPoint()), card->size());
        QVERIFY2(place.left() >= 0 && place.right() < width, qPrintable(card->text()));
        QVERIFY(card->width() >= 128 && card->height() >= card->heightForWidth(card->width()));
        columns += card->hasPicture() && card->y() == top ? 1 : 0;
      }
      QVERIFY2(columns >= (width >= 1440 ? 5 : 2) && columns <= 10, qPrintable(QString::number(columns)));
    }
    showAt(view, 640, 400);
    QVERIFY(view.findChild<QScrollArea*>()->verticalScrollBar()->maximum() > 0);
  }

  void arrowsMoveBetweenCards() {
    StartView view;
    showAt(view, 1440, 900);
    cardOf(view, "A mask_mod")->setFocus();
    const auto press = [&](Qt::Key key) {
      QTest::keyClick(view.focusWidget(), key);
      return qobject_cast<Card*>(view.focusWidget())->text();
    };
    QCOMPARE(press(Qt::Key_Right), QString("A mask tensor"));
    QCOMPARE(press(Qt::Key_Left), QString("A mask_mod"));
    QCOMPARE(press(Qt::Key_Down), QString("Window off by one"));
    QCOMPARE(press(Qt::Key_Up), QString("A mask_mod"));
  }

  /// They come after the first paint, and not while hidden.
  void thumbnailsComeLater() {
    StartView view;
    QVERIFY(!view.thumbnails().isStarted());
    QSignalSpy ready(&view.thumbnails(), &ThumbnailMaker::ready);
    showAt(view, 1100, 700);
    QTRY_VERIFY(view.thumbnails().isStarted());
    QTRY_VERIFY(ready.size() > 0);
    view.hide();
    QVERIFY(view.thumbnails().isIdle());
  }
};

VQSCOPE_TEST(StartViewTest)
#include "start_view_test.moc"
