// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_view.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/mouse.h"
#include "tests/support/test_main.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

std::shared_ptr<const ReachContent> contentOf(const char* layers, Index tokens, Index query) {
  auto sight = LayerSight::make(parse_layers(layers).value(), SequenceOfLayers::plain(tokens)).value();
  auto reach = LayerReach::make(sight, query).value();
  return std::make_shared<const ReachContent>(ReachContent{std::move(sight), std::move(reach)});
}

struct ShownPicture {
  ReachView view;
  QSignalSpy pointed{&view, &ReachView::pointed}, layer{&view, &ReachView::layerChosen},
      mask{&view, &ReachView::maskRequested};

  explicit ShownPicture(Index tokens = 1000) {
    view.resize(640, 420);
    view.setContent(contentOf("4*(sliding:16,full)", tokens, tokens - 1));
    view.show();
  }
  QPoint middle() const { return {view.width() / 2, view.height() / 2}; }
  ReachSpot spot() const { return pointed.last()[0].value<std::optional<ReachSpot>>().value(); }
};

}  // namespace

class ReachViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Every pixel row is of the layer whose band it lies in, also where layers are less than a
  /// pixel.
  void pixelsAndLayersGiveEachOther() {
    for (const Index layers : {1, 3, 62, 1000}) {
      const ReachFrame frame{QRect(40, 20, 300, 401), layers, 100, 700};
      for (Index layer = 0; layer < layers; ++layer) {
        const int top = frame.topOf(layer), next = frame.topOf(layer + 1);
        for (int y = top; y < next; ++y) QCOMPARE(frame.layerAt(y), layer);
      }
      QCOMPARE(frame.topOf(layers), 421);
      QCOMPARE(frame.layerAt(-50), Index{0});
      QCOMPARE(frame.layerAt(5000), layers - 1);
    }
  }

  void pixelsAndTokensGiveEachOther() {
    const ReachFrame frame{QRect(40, 20, 300, 400), 4, 100, 700};
    QCOMPARE(frame.xOf(100), 40.0);
    QCOMPARE(frame.xOf(700), 340.0);
    for (const double token : {100.0, 250.5, 699.0}) QCOMPARE(frame.tokenAt(frame.xOf(token)), token);
  }

  void arrowKeysWalk() {
    ShownPicture s;
    QTest::keyClick(&s.view, Qt::Key_Down);
    QCOMPARE(s.layer.last()[0].toInt(), 1);
    QCOMPARE(s.spot(), (ReachSpot{1, 999}));
    QTest::keyClick(&s.view, Qt::Key_Left);
    QVERIFY(s.spot().token < 999);
    const Index left = s.spot().token;
    QTest::keyClick(&s.view, Qt::Key_Right);
    QVERIFY(s.spot().token > left);
    for (int i = 0; i < 20; ++i) QTest::keyClick(&s.view, Qt::Key_Down);
    QCOMPARE(s.spot().layer, Index{7});
    QTest::keyClick(&s.view, Qt::Key_Return);
    QCOMPARE(s.mask.last()[0].toInt(), 7);
  }

  void aClickChoosesAndADoubleClickOpens() {
    ShownPicture s;
    QTest::mouseClick(&s.view, Qt::LeftButton, {}, s.middle());
    QCOMPARE(s.layer.size(), 1);
    const int chosen = s.layer.last()[0].toInt();
    QTest::mouseDClick(&s.view, Qt::LeftButton, {}, s.middle());
    QCOMPARE(s.mask.last()[0].toInt(), chosen);
    const auto before = s.layer.size();
    QTest::mouseClick(&s.view, Qt::LeftButton, {}, {1, 1});  // outside the picture
    QCOMPARE(s.layer.size(), before);
  }

  /// The spot under the mouse, and the chosen one when it leaves.
  void theMousePoints() {
    ShownPicture s;
    s.view.showSpot({2, 10});
    test::moveMouse(&s.view, s.middle());
    QVERIFY(s.spot() != (ReachSpot{2, 10}));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&s.view, &leave);
    QCOMPARE(s.spot(), (ReachSpot{2, 10}));
  }

  void aDragPansAndKeysZoom() {
    ShownPicture s;
    QTest::keyClick(&s.view, Qt::Key_Plus);
    QTest::keyClick(&s.view, Qt::Key_Plus);
    const auto zoomed = s.view.shownTokens();
    QVERIFY(zoomed.second - zoomed.first < 1000);
    test::drag(&s.view, s.middle(), s.middle() + QPoint(60, 0));
    const auto panned = s.view.shownTokens();
    QVERIFY(panned.first < zoomed.first);
    QVERIFY(std::abs((panned.second - panned.first) - (zoomed.second - zoomed.first)) < 1e-6);
    QCOMPARE(s.layer.size(), 0);  // a drag is no click
    QTest::keyClick(&s.view, Qt::Key_Minus);
    QVERIFY(s.view.shownTokens().second - s.view.shownTokens().first > panned.second - panned.first);
    QTest::keyClick(&s.view, Qt::Key_0);
    QCOMPARE(s.view.shownTokens(), std::pair(0.0, 1000.0));
  }

  /// A spot that another model has not moves to the nearest; without a model there is none.
  void anotherModelKeepsTheSpotWhereItCan() {
    ShownPicture s;
    s.view.showSpot({7, 900});
    s.view.setContent(contentOf("2*full", 100, 50));
    QCOMPARE(s.view.shownTokens(), std::pair(0.0, 100.0));
    QTest::keyClick(&s.view, Qt::Key_Up);
    QCOMPARE(s.spot(), (ReachSpot{0, 99}));
    s.view.setContent(nullptr);
    s.view.showSpot({0, 0});
    QTest::keyClick(&s.view, Qt::Key_Return);
    QTest::mouseClick(&s.view, Qt::LeftButton, {}, s.middle());
    QCOMPARE(s.mask.size(), 0);
    QVERIFY(!s.view.grab().isNull());
  }

  /// Right click: what can be done with the layer, the token and the map.
  void menuOffersLayerTokenAndMap() {
    ShownPicture s;
    const auto entry = [&](const std::optional<ReachSpot>& spot, const QString& title) -> QAction* {
      for (QAction* action : s.view.makeMenu(spot)->actions())
        if (action->text() == title) return action;
      return nullptr;
    };
    QVERIFY(!entry(std::nullopt, "Show all tokens")->isEnabled());
    QVERIFY(!entry(std::nullopt, "Open the mask of layer 2"));
    const ReachSpot spot{2, 500};
    entry(spot, "Open the mask of layer 2")->trigger();
    QCOMPARE(s.mask.last()[0].toInt(), 2);
    entry(spot, "Zoom in on token 500")->trigger();
    QCOMPARE(s.view.shownTokens().second - s.view.shownTokens().first, 250.0);
    entry(spot, "Show all tokens")->trigger();
    QCOMPARE(s.view.shownTokens(), std::pair(0.0, 1000.0));
    entry(spot, "Copy picture")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->pixmap().size(), s.view.size());
  }
};

VQSCOPE_TEST(ReachViewTest)
#include "reach_view_test.moc"
