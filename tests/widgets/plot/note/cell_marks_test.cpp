// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/note/cell_marks.h"

#include "tests/support/test_main.h"
#include "widgets/theme/palette.h"

#include <QTest>

using namespace vqscope;

class CellMarksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_dot_on_each_cell() {
    QCustomPlot plot;
    plot.setViewport(QRect(0, 0, 300, 300));
    plot.xAxis2->setVisible(true);
    plot.xAxis2->setRange(-0.5, 9.5);
    plot.yAxis->setRange(-0.5, 9.5);
    auto* marks = new CellMarks(&plot);
    marks->setStyle(palette(Theme::light));
    plot.replot();
    const QImage before = plot.toPixmap(300, 300).toImage();
    marks->setNotes({{{2, 3}, "why?"}, {{50, 50}, "outside"}});
    plot.replot();
    const QPointF at(plot.xAxis2->coordToPixel(3), plot.yAxis->coordToPixel(2));
    QVERIFY(marks->noteAt(at + QPointF(3, 3)));
    QCOMPARE(marks->noteAt(at)->text, QString("why?"));
    QVERIFY(!marks->noteAt(at + QPointF(20, 0)));
    const QImage after = plot.toPixmap(300, 300).toImage();
    QVERIFY(after != before);
    QCOMPARE(after.pixelColor(at.toPoint()), palette(Theme::light).violet);
    marks->setNotes({});
    plot.replot();
    QCOMPARE(plot.toPixmap(300, 300).toImage(), before);
  }
};

VQSCOPE_TEST(CellMarksTest)
#include "cell_marks_test.moc"
