// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "widgets/paint/colour_map.h"
#include "widgets/theme/palette.h"

#include <QTest>

using namespace vqscope;

/// Maps are painted in the colours of the widgets around them.
class MaskColoursTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masksHaveTheColoursOfTheTheme() {
    for (const bool dark : {false, true}) {
      const MaskColours mask = maskColours(dark);
      QCOMPARE(mask.visible, palette(dark ? Theme::dark : Theme::light).accent.rgb());
      QCOMPARE(mask.outside, palette(dark ? Theme::dark : Theme::light).window.rgb());
    }
  }
};

VQSCOPE_TEST(MaskColoursTest)
#include "mask_colours_test.moc"
