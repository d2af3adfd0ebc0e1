// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/profile_column.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/overlay.h"
#include "widgets/view/view_header.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

ProfileRequest requestOf(const char* id) {
  const Method& method = *find_method(id);
  ProfileRequest request;
  request.values = carried_values(method, {});
  request.field = *make_field(method, request.values);
  request.recipe = method.field();
  request.row = request.col = 3;
  request.rows = {0, request.field->extent().rows};
  request.cols = {0, request.field->extent().cols};
  request.visibleKeys = true;
  return request;
}

struct ShownColumn {
  ProfileColumn column;
  std::vector<CurveView*> views;

  ShownColumn() {
    for (auto* view : column.findChildren<CurveView*>()) views.push_back(view);
    column.resize(300, 600);
    column.setVisible(true);
  }
  void show(const ProfileRequest& request) {
    column.show(request);
    QTRY_VERIFY_WITH_TIMEOUT(!column.isBusy(), 120000);
  }
  CurveView* titled(const char* title) const {
    for (auto* view : views)
      if (view->header()->title() == QLatin1String(title)) return view;
    return nullptr;
  }
};

QString bannerOf(const CurveView& view) {
  for (const auto* label : view.findChild<Overlay*>()->findChildren<QLabel*>())
    if (!label->isHidden()) return label->text();
  return {};
}

}  // namespace

class ProfileColumnTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A map of a decoder mutes keys after the query: they are in no profile.
  void theFutureOfADecoderIsLeftOut() {
    ShownColumn s;
    ProfileRequest request = requestOf("alibi");
    request.visibleKeys = false;
    const auto last = static_cast<double>(request.field->extent().rows - 1);
    s.show(request);
    QCOMPARE(s.titled("Row profile")->curves().x, (std::vector<double>{0, 1, 2, 3}));
    const auto& column = s.titled("Column profile")->curves().x;
    QVERIFY(column.front() >= 3 && column.front() < 5 && column.back() <= last);
    request.row = 0;
    request.cols = {2, 4};  // nothing but the future
    s.show(request);
    QCOMPARE(s.titled("Row profile")->curves().x, (std::vector<double>{2, 3}));
  }

  /// One profile that could not be made is not shown as if it were of the new matrix; the others
  /// are.
  void onlyTheFailedProfileIsMarked() {
    ShownColumn s;
    s.show(requestOf("visibility"));
    for (auto* view : s.views) QVERIFY(view->freshness().isCurrent());
    const auto* keys = s.titled("Keys seen by each query");
    const auto* row = s.titled("Row profile");
    QVERIFY(keys && row);
    QCOMPARE(keys->curves().y_title, std::string("visible keys"));

    s.show(requestOf("t5_bucket"));  // which is no mask
    QVERIFY(row->freshness().isCurrent());
    QVERIFY(bannerOf(*row).isEmpty());
    QVERIFY(keys->freshness().isOutdated());
    QTRY_VERIFY(keys->findChild<Overlay*>()->isVisible());
    QVERIFY2(bannerOf(*keys).contains("visible keys are counted for masks only"), qPrintable(bannerOf(*keys)));

    s.column.expect(requestOf("visibility").field);
    QCOMPARE(keys->freshness(), Freshness::computing());
    s.show(requestOf("visibility"));
    for (auto* view : s.views) QVERIFY(view->freshness().isCurrent());
    QTRY_VERIFY(keys->findChild<Overlay*>()->isHidden());
  }

  /// The keys of all queries are counted once, whichever cell is picked; a count that was stopped
  /// begins again.
  void pickingACellDoesNotCountAgain() {
    ShownColumn s;
    auto request = requestOf("visibility");
    s.show(request);
    const auto* keys = s.titled("Keys seen by each query");
    const QSignalSpy counted(keys, &CurveView::curvesShown);
    request.row = 5;
    s.show(request);
    QCOMPARE(s.titled("Row profile")->header()->subtitle(), QString("row 5"));
    QCOMPARE(counted.size(), 0);
    request.rows = {0, 10};
    s.column.show(request);
    s.column.stop();
    s.show(request);
    QCOMPARE(keys->curves().x.size(), std::size_t{10});
    QVERIFY(keys->freshness().isCurrent());
  }

  /// With an error in the form, the map shows the reason; here is only the mark.
  void formErrorIsShownOnce() {
    ShownColumn s;
    s.show(requestOf("visibility"));
    s.column.setFreshness(Freshness::outdated("q_length is 0"));
    for (auto* view : s.views) {
      QVERIFY(view->freshness().isOutdated());
      QVERIFY(bannerOf(*view).isEmpty());
    }
  }
};

VQSCOPE_TEST(ProfileColumnTest)
#include "profile_column_test.moc"
