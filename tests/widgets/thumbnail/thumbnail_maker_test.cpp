// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail_maker.h"

#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

const Method& visibility_method() { return *find_method(mask_methods(), "visibility"); }

void requestPicture(ThumbnailMaker& maker, const QString& key, Index length = 64) {
  ParameterValues values;
  values.set("q_length", length);
  maker.request(key, visibility_method(), values, QSize(20, 10));
}

QStringList keysOf(const QSignalSpy& spy) {
  QStringList keys;
  for (const auto& call : spy) keys << call.front().toString();
  return keys;
}

}  // namespace

class ThumbnailMakerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void oneAfterTheOtherInOrder() {
    ThumbnailMaker maker;
    QSignalSpy ready(&maker, &ThumbnailMaker::ready);
    for (const char* key : {"a", "b", "c"}) requestPicture(maker, key);
    maker.start();
    QTRY_VERIFY(maker.isIdle());
    QCOMPARE(keysOf(ready), QStringList({"a", "b", "c"}));
    QCOMPARE(maker.image("b").size(), QSize(20, 10));
    QVERIFY(maker.image("d").isNull());
  }

  void noThumbnailsBeforeTheStart() {
    ThumbnailMaker maker;
    QSignalSpy ready(&maker, &ThumbnailMaker::ready);
    requestPicture(maker, "a");
    QCoreApplication::processEvents();
    QCOMPARE(ready.size(), 0);
    QVERIFY(!maker.isIdle() && !maker.isStarted());
    maker.start();
    QTRY_COMPARE(ready.size(), 1);
  }

  void equalRequestReusesThePicture() {
    ThumbnailMaker maker;
    maker.start();
    QSignalSpy ready(&maker, &ThumbnailMaker::ready);
    requestPicture(maker, "a");
    QTRY_COMPARE(ready.size(), 1);
    const qint64 made = maker.image("a").cacheKey();
    requestPicture(maker, "a");
    QTRY_COMPARE(ready.size(), 2);
    QCOMPARE(maker.image("a").cacheKey(), made);
    requestPicture(maker, "a", 65);
    QTRY_COMPARE(ready.size(), 3);
    QVERIFY(maker.image("a").cacheKey() != made);
  }

  void cancelled() {
    ThumbnailMaker maker;
    QSignalSpy ready(&maker, &ThumbnailMaker::ready);
    for (const char* key : {"a", "b", "c"}) requestPicture(maker, key);
    maker.cancel("a");
    maker.start();
    maker.cancel("b");
    QTRY_VERIFY(maker.isIdle());
    QCOMPARE(keysOf(ready), QStringList({"c"}));
    requestPicture(maker, "d");
    maker.cancelAll();
    QVERIFY(maker.isIdle());
  }

  /// The last request under a key is carried out.
  void laterRequestReplacesTheEarlierOne() {
    ThumbnailMaker maker;
    QSignalSpy ready(&maker, &ThumbnailMaker::ready);
    requestPicture(maker, "a", 64);
    requestPicture(maker, "b");
    requestPicture(maker, "a", 128);
    maker.start();
    QTRY_VERIFY(maker.isIdle());
    QCOMPARE(keysOf(ready), QStringList({"b", "a"}));
  }
};

VQSCOPE_TEST(ThumbnailMakerTest)
#include "thumbnail_maker_test.moc"
