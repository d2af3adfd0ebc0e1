// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/point_places.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PointPlacesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void namesStandBesideTheirPoints() {
    const QRectF within(0, 0, 400, 300);
    const QSizeF size(60, 16);
    const std::vector<QPolygonF> lines{QPolygonF({{100, 100}}), QPolygonF({{100, 104}}),
                                       QPolygonF(QList<QPointF>{{390, 200}, {300, 20}})};
    const auto places = placesAtPoints(lines, {size, size, size}, within);
    std::vector<QRectF> rects;
    for (const QPointF& place : places) rects.emplace_back(QPointF(place.x(), place.y() - 8), size);
    for (std::size_t i = 0; i < rects.size(); ++i) {
      QVERIFY(within.contains(rects[i]));
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!rects[i].intersects(rects[j]));
      for (const QPolygonF& line : lines)
        for (const QPointF& point : line) QVERIFY(!rects[i].contains(point));
    }
    QVERIFY(std::abs(places[0].y() - 100) < 30);
  }

  void aNameWithoutPointsIsSomewhere() {
    QCOMPARE(placesAtPoints({QPolygonF()}, {QSizeF(9, 9)}, {0, 0, 50, 50}).size(), std::size_t{1});
  }
};

VQSCOPE_TEST(PointPlacesTest)
#include "point_places_test.moc"
