// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/preview_area.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PreviewAreaTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void scales_data() {
    QTest::addColumn<QSize>("room");
    QTest::addColumn<double>("scale");
    QTest::newRow("as it is") << QSize(200, 400) << 1.0;
    QTest::newRow("at most twice") << QSize(900, 900) << 2.0;
    QTest::newRow("as wide as fits") << QSize(300, 900) << 1.5;
    QTest::newRow("as high as fits") << QSize(900, 80) << 0.8;
  }

  /// The figure has 200 x 100 CSS pixels, and twice as many in its file.
  void scales() {
    QFETCH(QSize, room);
    QImage pixels(400, 200, QImage::Format_RGB32);
    pixels.fill(Qt::red);
    PreviewArea area;
    area.setMinimumSize(1, 1);
    area.resize(room + QSize(32, 32));
    area.setFigure(pixels, {200, 100});
    QTEST(area.scale(), "scale");
    const QImage painted = area.grab().toImage();
    const double ratio = painted.devicePixelRatio();
    int columns = 0;
    for (int x = 0; x < painted.width(); ++x)
      if (painted.pixel(x, painted.height() / 2) == qRgb(255, 0, 0)) ++columns;
    QCOMPARE(columns, qRound(200 * area.scale() * ratio));
  }

  /// Where a pixel of the window is one of the file, nothing is sampled.
  void pixelsOfTheFileAreShown() {
    QImage pixels(200, 100, QImage::Format_RGB32);
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 200; ++x) pixels.setPixel(x, y, (x + y) % 2 == 0 ? qRgb(x, y, 90) : qRgb(0, 0, 0));
    PreviewArea area;
    area.setMinimumSize(1, 1);
    area.resize(232, 432);
    area.setFigure(pixels, {200, 100});
    const QImage painted = area.grab().toImage();
    if (painted.devicePixelRatio() != 1) QSKIP("a pixel of the window is less than one of the figure");
    QCOMPARE(painted.copy(16, 166, 200, 100).convertToFormat(QImage::Format_RGB32), pixels);
  }
};

VQSCOPE_TEST(PreviewAreaTest)
#include "preview_area_test.moc"
