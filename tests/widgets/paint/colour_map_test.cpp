// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/colour_map.h"

#include "core/session/session.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace vqscope;

namespace {

/// CIE L*, 0 to 100.
double lightness(QRgb rgb) {
  const auto linear = [](int c) {
    const double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(qRed(rgb)) + 0.7152 * linear(qGreen(rgb)) + 0.0722 * linear(qBlue(rgb));
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

int distance(QRgb a, QRgb b) {
  return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

}  // namespace

class ColourMapTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void mapsAgreeWithTheSessionIds() {
    const auto ids = colour_map_ids();
    QVERIFY(std::ranges::equal(colourMaps(), ids, {}, &ColourMap::id));
  }

  void everyMapHasItsIdAndTitle() {
    std::set<std::string> ids;
    for (const auto& map : colourMaps()) {
      ids.insert(map.id());
      QVERIFY(!map.title().isEmpty());
      QCOMPARE(findColourMap(map.id()), &map);
      for (const QRgb entry : map.entries()) QCOMPARE(qAlpha(entry), 255);
    }
    QCOMPARE(ids, (std::set<std::string>{"viridis", "cividis", "magma", "diverging", "twilight"}));
    QVERIFY(!findColourMap("jet"));
  }

  void endsAreThePublishedOnes() {
    QCOMPARE(findColourMap("viridis")->at(0), 0xff440154U);
    QCOMPARE(findColourMap("viridis")->at(1), 0xfffde725U);
    QCOMPARE(findColourMap("magma")->at(0), 0xff000004U);
    QCOMPARE(findColourMap("cividis")->entries().front(), 0xff00224eU);
  }

  void valuesOutsideTakeTheEnds() {
    const auto& map = *findColourMap("viridis");
    QCOMPARE(map.at(-3), map.entries().front());
    QCOMPARE(map.at(7), map.entries().back());
    QCOMPARE(map.at(std::numeric_limits<double>::infinity()), map.entries().back());
  }

  void sequentialMapsGrowLighter_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"viridis", "cividis", "magma"}) QTest::newRow(id) << id;
  }
  void sequentialMapsGrowLighter() {
    QFETCH(QString, id);
    const auto& entries = findColourMap(id.toStdString())->entries();
    for (std::size_t i = 1; i < entries.size(); ++i)
      QVERIFY2(lightness(entries[i]) > lightness(entries[i - 1]) - 0.35, qPrintable(QString::number(i)));
    QVERIFY(lightness(entries.back()) - lightness(entries.front()) > 70);
  }

  void twilightCloses() {
    const auto& entries = findColourMap("twilight")->entries();
    QVERIFY(distance(entries.front(), entries.back()) < 6);
    for (std::size_t i = 1; i < entries.size(); ++i) QVERIFY(distance(entries[i], entries[i - 1]) < 20);
  }

  void divergingIsNeutralInTheMiddleAndEvenAround() {
    const auto& map = *findColourMap("diverging");
    const QRgb middle = map.at(0.5);
    QCOMPARE(map.entries()[127], map.entries()[128]);
    QVERIFY(qRed(middle) == qGreen(middle) && qGreen(middle) == qBlue(middle));
    for (std::size_t i = 0; i < 128; ++i) {
      const double blue = lightness(map.entries()[127 - i]);
      QVERIFY(std::abs(blue - lightness(map.entries()[128 + i])) < 6);
      if (i > 0) QVERIFY(blue < lightness(map.entries()[128 - i]));
    }
    QVERIFY(qBlue(map.at(0.1)) > qRed(map.at(0.1)));
    QVERIFY(qRed(map.at(0.9)) > qBlue(map.at(0.9)));
  }

  void bucketsAreDarkWhenNear() {
    const auto colours = bucketColours(16, 16);
    QCOMPARE(colours.size(), std::size_t{32});
    for (const std::size_t side : {0U, 16U})
      for (std::size_t i = 1; i < 16; ++i) QVERIFY(lightness(colours[side + i]) > lightness(colours[side + i - 1]));
    QCOMPARE(std::set<QRgb>(colours.begin(), colours.end()).size(), std::size_t{32});
    QCOMPARE(bucketColours(1, 0).size(), std::size_t{1});
  }

  void maskTermsKeepTheirColourAndDiffer() {
    const std::vector<std::string> terms{"same_document", "causal", "mine", "sliding_window", "yours", "key_valid"};
    for (const bool dark : {false, true}) {
      const MaskColours mask = maskColours(dark);
      QCOMPARE(mask.ofTerm("causal", 0), mask.ofTerm("causal", 5));
      std::set<QRgb> colours{mask.visible};
      for (std::size_t i = 0; i < terms.size(); ++i) {
        colours.insert(mask.ofTerm(terms[i], i));
        QVERIFY(distance(mask.ofTerm(terms[i], i), mask.visible) > 100);
      }
      QCOMPARE(colours.size(), terms.size() + 1);
    }
  }

  void unnamedTermsDiffer() {
    std::set<QRgb> colours;
    for (std::size_t i = 0; i < 6; ++i) colours.insert(maskColours(true).ofTerm("t", i));
    QCOMPARE(colours.size(), std::size_t{6});
    QCOMPARE(maskColours(true).ofTerm("t", 1), maskColours(true).ofTerm("t", 7));
  }
};

VQSCOPE_TEST(ColourMapTest)
#include "colour_map_test.moc"
