// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/source/sample_strip.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class SampleStripTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_say_what_differs() {
    SampleStrip strip;
    strip.setSamples(2, 2,
                     {{}, {1, 3, {}}, {}, {2, 1, {{.severity = Severity::error, .sentence = "row 3 sees no key"}}}});
    QCOMPARE(strip.describe(0, 0), QString("Sample 0 of 2, head 0 of 2"));
    QCOMPARE(strip.describe(0, 1), QString("Sample 0 of 2, head 1 of 2: 3 cells differ from the first"));
    QCOMPARE(strip.describe(1, 0), QString("Sample 1 of 2, head 0 of 2: as the first"));
    QCOMPARE(strip.describe(1, 1),
             QString("Sample 1 of 2, head 1 of 2: 1 cells differ from the first\nrow 3 sees no key"));
  }

  void keys_go_to_neighbours() {
    SampleStrip strip;
    strip.setSamples(3, 1, std::vector<BatchLook>(3));
    strip.setCurrent(1, 0);
    std::vector<std::pair<Index, Index>> picked;
    QObject::connect(&strip, &SampleStrip::picked, &strip,
                     [&](Index sample, Index head) { picked.emplace_back(sample, head); });
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_Down);
    strip.setCurrent(2, 0);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(picked, (std::vector<std::pair<Index, Index>>{{2, 0}, {0, 0}}));
  }

  void a_click_chooses() {
    SampleStrip strip;
    strip.setSamples(4, 1, std::vector<BatchLook>(4));
    strip.resize(strip.sizeHint());
    std::vector<Index> picked;
    QObject::connect(&strip, &SampleStrip::picked, &strip, [&](Index sample, Index) { picked.push_back(sample); });
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(strip.width() - 2, 2));
    QCOMPARE(picked, std::vector<Index>{3});
  }
};

VQSCOPE_TEST(SampleStripTest)
#include "sample_strip_test.moc"
