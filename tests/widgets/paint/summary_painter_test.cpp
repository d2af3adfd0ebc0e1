// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/summary_painter.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/paint/colour_map.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numbers>

using namespace vqscope;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Pixels that are tiles, one each.
PixelAxis plainAxis(int pixels) {
  PixelAxis axis;
  for (int i = 0; i <= pixels; ++i) axis.edges.push_back(i);
  for (int i = 0; i < pixels; ++i) axis.tiles.push_back(i);
  return axis;
}

/// The colours of one row of tiles with these values.
std::vector<QRgb> painted(const ColourScale& scale, const std::vector<float>& values,
                          const std::vector<float>& coherence = {}, Aggregate aggregate = Aggregate::mean,
                          const std::vector<std::uint8_t>& reasons = {}) {
  const auto count = static_cast<int>(values.size());
  Summary summary{.rows = 1,
                  .cols = count,
                  .min = values,
                  .max = values,
                  .mean = values,
                  .coherence = coherence,
                  .reason = reasons};
  const QImage image = paintSummary(summary, plainAxis(1), plainAxis(count), aggregate, scale);
  std::vector<QRgb> colours;
  for (int x = 0; x < count; ++x) colours.push_back(image.pixel(x, 0));
  return colours;
}

struct Shown {
  const Method& method;
  ParameterValues values;
  std::shared_ptr<const Field> field;
  ColourScale scale;

  Shown(const char* id, const ParameterValues::Map& set, const std::string& map = {}, bool dark = false)
      : method(*find_method(id)), values(default_values(method.parameters)) {
    for (const auto& [name, value] : set) values.set(name, value);
    field = make_field(method, values).value();
    scale = colourScale(method, field, values, map, dark);
  }
};

}  // namespace

class SummaryPainterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void oneCellAmongManyShows_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("cells");
    for (const bool dark : {false, true})
      for (const double cells : {1e2, 1e6, 16e6})
        QTest::addRow("%s, %g cells", dark ? "dark" : "light", cells) << dark << cells;
  }

  void oneCellAmongManyShows() {
    QFETCH(bool, dark);
    QFETCH(double, cells);
    const ColourScale scale = Shown("visibility", {}, {}, dark).scale;
    const auto fraction = static_cast<float>(1 / cells);
    const auto colours = painted(scale, {0, fraction, 1 - fraction, 1}, {}, Aggregate::mean, {1, 1, 1, 0});
    QCOMPARE(colours[0], scale.reasonColours[0]);
    QVERIFY2(colours[1] != scale.reasonColours[0], "one visible cell is painted as masked");
    QVERIFY2(colours[2] != scale.visible, "one masked cell is painted as visible");
    QCOMPARE(colours[3], scale.visible);
    // By enough to be seen.
    const auto apart = [](QRgb a, QRgb b) {
      return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
    };
    QVERIFY(apart(colours[1], colours[0]) > 40);
    QVERIFY(apart(colours[2], colours[3]) > 15);
  }

  /// The same from the mask on: a single tile over a million queries of which the first alone sees
  /// one key.
  void oneVisibleCellOfAWholeMask() {
    const Shown mask("visibility", {{"q_length", Index{1'000'000}}, {"kv_length", Index{1'000'000}}});
    Summary summary;
    SummaryOptions options;
    options.reasons = true;
    // Columns far above the diagonal, but for one cell in the corner.
    const TileGrid grid{{0, 1001}, {1000, 2000, 3000}};
    QVERIFY(mask.field->summarize(grid, options, summary));
    QVERIFY(summary.mean[0] > 0);
    const PixelAxis rows{grid.row_edges, {0}};
    const PixelAxis cols{grid.col_edges, {0, 1}};
    const QImage image = paintSummary(summary, rows, cols, Aggregate::mean, mask.scale);
    QCOMPARE(image.pixel(1, 0), mask.scale.reasonColours[0]);
    QVERIFY(image.pixel(0, 0) != image.pixel(1, 0));
  }

  void fractionsInBetweenAscend() {
    const ColourScale scale = Shown("visibility", {}).scale;
    const auto colours = painted(scale, {1e-6F, 0.25F, 0.5F, 0.75F, 0.999F});
    for (std::size_t i = 1; i < colours.size(); ++i) {
      // The accent is bluer and less red than the masked grey.
      QVERIFY2(qRed(colours[i]) < qRed(colours[i - 1]), qPrintable(QString::number(i)));
    }
  }

  void nanAndMinusInfinityHaveTheirOwnColours() {
    for (const char* id : {"t5_bucket", "rope_phase", "rope_cos"}) {
      const ColourScale scale = Shown(id, {{"q_length", Index{16}}}).scale;
      const auto colours = painted(scale, {notANumber, -infinity, 0}, {1, 1, 1});
      QCOMPARE(colours[0], scale.notANumber);
      QCOMPARE(colours[1], scale.minusInfinity);
      QVERIFY(colours[0] != colours[1] && colours[0] != colours[2] && colours[1] != colours[2]);
      QCOMPARE(scale.colourOf(std::numeric_limits<double>::quiet_NaN()), scale.notANumber);
      QCOMPARE(scale.colourOf(-std::numeric_limits<double>::infinity()), scale.minusInfinity);
    }
  }

  void bucketsHaveTheirOwnColours_data() {
    QTest::addColumn<bool>("bidirectional");
    QTest::addColumn<int>("past");
    QTest::newRow("both ways") << true << 16;
    QTest::newRow("causal") << false << 32;
  }

  void bucketsHaveTheirOwnColours() {
    QFETCH(bool, bidirectional);
    QFETCH(int, past);
    const ColourScale scale = Shown("t5_bucket", {{"bidirectional", bidirectional}}).scale;
    const auto expected = bucketColours(past, 32 - past);
    QCOMPARE(expected.size(), std::size_t{32});
    std::vector<float> values;
    for (int bucket = 0; bucket < 32; ++bucket) values.push_back(static_cast<float>(bucket));
    QCOMPARE(painted(scale, values), expected);
    QCOMPARE(painted(scale, {3.4F, 3.6F}), (std::vector<QRgb>{expected[3], expected[4]}));
    QCOMPARE(painted(scale, {-5, 400}), (std::vector<QRgb>{expected.front(), expected.back()}));
  }

  void aChosenMapReplacesTheBuckets() {
    const ColourScale scale = Shown("t5_bucket", {}, "magma").scale;
    const auto& map = *findColourMap("magma");
    QCOMPARE(painted(scale, {0, 31}), (std::vector<QRgb>{map.at(0), map.at(1)}));
    QCOMPARE(Shown("t5_bucket", {}, "no such map").scale.categories, bucketColours(16, 16));
  }

  void phasesFadeWhereTheyCancel() {
    const ColourScale scale = Shown("rope_phase", {}).scale;
    const auto colours = painted(scale, {1, 1, 1, 4}, {0, 0.5F, 1, 0});
    QCOMPARE(colours[0], scale.neutral);
    QCOMPARE(colours[3], scale.neutral);
    QCOMPARE(colours[2], scale.colourOf(1));
    QVERIFY(colours[1] != colours[0] && colours[1] != colours[2]);
  }

  /// A single cell is a direction whatever; the coherence of a mean does not apply to extremes.
  void extremesOfPhasesDoNotFade() {
    const ColourScale scale = Shown("rope_phase", {}).scale;
    QCOMPARE(painted(scale, {1}, {0}, Aggregate::max)[0], scale.colourOf(1));
  }

  void aTurnEndsWhereItBegan() {
    const ColourScale scale = Shown("rope_phase", {}).scale;
    QCOMPARE(scale.high, 2 * std::numbers::pi);
    const QRgb first = scale.colourOf(0);
    const QRgb last = scale.colourOf(2 * std::numbers::pi - 1e-9);
    QVERIFY(std::abs(qRed(first) - qRed(last)) < 8 && std::abs(qBlue(first) - qBlue(last)) < 8);
  }

  void aggregatesTakeTheirPlanes() {
    const ColourScale scale = Shown("t5_bucket", {}).scale;
    const Summary summary{.rows = 1, .cols = 1, .min = {2}, .max = {9}, .mean = {5}};
    const auto colour = [&](Aggregate aggregate) {
      return paintSummary(summary, plainAxis(1), plainAxis(1), aggregate, scale).pixel(0, 0);
    };
    QCOMPARE(colour(Aggregate::min), scale.colourOf(2));
    QCOMPARE(colour(Aggregate::max), scale.colourOf(9));
    QCOMPARE(colour(Aggregate::mean), scale.colourOf(5));
  }

  void reasonsHaveTheirTermsColours() {
    const Shown mask("visibility", {{"mask", std::string("sliding_window")}, {"padding", Index{8}}});
    const auto& scale = mask.scale;
    QVERIFY2(scale.reasons.size() >= 3, qPrintable(QString::number(scale.reasons.size())));
    QCOMPARE(scale.reasonColours.size(), scale.reasons.size());
    std::vector<float> masked;
    std::vector<std::uint8_t> reasons;
    for (std::size_t i = 0; i < scale.reasons.size(); ++i) {
      QCOMPARE(scale.reasonColours[i], maskColours(false).ofTerm(scale.reasons[i], i));
      masked.push_back(0);
      reasons.push_back(static_cast<std::uint8_t>(i + 1));
    }
    QCOMPARE(painted(scale, masked, {}, Aggregate::mean, reasons), scale.reasonColours);
    QCOMPARE(painted(scale, {0, 0}, {}, Aggregate::mean, {0, 255}), (std::vector<QRgb>{scale.masked, scale.masked}));
    QCOMPARE(painted(scale, {0}, {}, Aggregate::mean)[0], scale.masked);
  }

  /// A cell of a mask painted on its own is its reason's colour when zoomed in; beside numbers it
  /// must stay readable.
  void cellColoursAgreeWithPixels() {
    for (const char* id : {"t5_bucket", "rope_cos", "rope_phase"}) {
      const Shown shown(id, {{"q_length", Index{12}}});
      Summary summary;
      const TileGrid grid{{5, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
      QVERIFY(shown.field->summarize(grid, {}, summary));
      const QImage image = paintSummary(summary, {grid.row_edges, {0}}, plainAxis(8), Aggregate::mean, shown.scale);
      for (int col = 0; col < 8; ++col) {
        const QRgb pixel = image.pixel(col, 0);
        const QRgb cell = shown.scale.cellColour(shown.field->at(5, col));
        const int apart = std::abs(qRed(pixel) - qRed(cell)) + std::abs(qGreen(pixel) - qGreen(cell)) +
                          std::abs(qBlue(pixel) - qBlue(cell));
        QVERIFY2(apart <= 24, qPrintable(QString("%1, column %2: %3 apart").arg(id).arg(col).arg(apart)));
      }
    }
  }

  void beyondTheMatrixIsTransparent() {
    const ColourScale scale = Shown("t5_bucket", {}).scale;
    const Summary summary{.rows = 1, .cols = 2, .mean = {0, 1}};
    PixelAxis rows{{0, 1}, {-1, 0, 0, -1}};
    PixelAxis cols{{0, 1, 2}, {-1, 0, 1, 1, -1}};
    const QImage image = paintSummary(summary, rows, cols, Aggregate::mean, scale);
    QCOMPARE(image.size(), QSize(5, 4));
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const bool inside =
            rows.tiles[static_cast<std::size_t>(y)] >= 0 && cols.tiles[static_cast<std::size_t>(x)] >= 0;
        const QRgb expected = inside ? scale.colourOf(cols.tiles[static_cast<std::size_t>(x)]) : 0U;
        QVERIFY2(image.pixel(x, y) == expected, qPrintable(QString("pixel (%1, %2)").arg(x).arg(y)));
      }
  }

  void differencesAreNeutralAtZero() {
    const ColourScale scale = differenceScale(*find_method("t5_bucket"), false);
    QCOMPARE(scale.low, -scale.high);
    QCOMPARE(scale.colourOf(0), findColourMap("diverging")->at(0.5));
    QVERIFY(scale.colourOf(scale.low) != scale.colourOf(scale.high));
  }

  void differenceScaleFitsItsValues_data() {
    QTest::addColumn<float>("value");
    QTest::addColumn<double>("reach");
    QTest::newRow("whole") << 15.0F << 20.0;
    QTest::newRow("negative") << -3.0F << 5.0;
    QTest::newRow("tiny") << 1.3e-7F << 2e-7;
    QTest::newRow("on the step") << 50.0F << 50.0;
    QTest::newRow("large") << 7e6F << 1e7;
  }

  void differenceScaleFitsItsValues() {
    QFETCH(float, value);
    QFETCH(double, reach);
    const Summary summary{.rows = 1, .cols = 3, .mean = {0, value, notANumber}};
    const ColourScale scale = fittedScale(differenceScale(*find_method("t5_bucket"), false), summary, Aggregate::mean);
    QVERIFY2(std::abs(scale.high / reach - 1) < 1e-9, qPrintable(QString::number(scale.high)));
    QCOMPARE(scale.low, -scale.high);
  }

  void largestValueHasTheLargestMagnitude() {
    Summary summary{.rows = 1, .cols = 5, .min = {-3, -1, -2, notANumber, 1}, .max = {2, 4, 2, notANumber, 5}};
    takeLargest(summary);
    QCOMPARE(std::vector<float>(summary.mean.begin(), summary.mean.begin() + 3), (std::vector<float>{-3, 4, 2}));
    QVERIFY(std::isnan(summary.mean[3]));
    QCOMPARE(summary.mean[4], 5.0F);
  }

  void automaticAggregateOfDifferencesIsTheLargest() {
    const Method& buckets = *find_method("t5_bucket");
    const auto field = make_field(buckets, default_values(buckets.parameters));
    QVERIFY(field);
    const ColourScale plain = colourScale(buckets, *field, default_values(buckets.parameters), {}, false);
    const auto automatic = Aggregate::automatic;
    QCOMPARE(aggregateFor(plain, automatic), automatic);  // a mixture of labels
    QCOMPARE(aggregateFor(plain, Aggregate::mean), automatic);
    QCOMPARE(aggregateFor(plain, Aggregate::min), Aggregate::min);
    QCOMPARE(aggregateFor(differenceScale(buckets, false), automatic), Aggregate::largest);
    QCOMPARE(aggregateFor(differenceScale(buckets, false), Aggregate::mean), Aggregate::mean);
    // The mean of circular angles shows whether they agree.
    QCOMPARE(aggregateFor(differenceScale(*find_method("rope_phase"), false), automatic), Aggregate::mean);
  }

  void scaleOfAngleDifferencesWraps() {
    const ColourScale scale = differenceScale(*find_method("rope_phase"), false);
    constexpr double pi = std::numbers::pi;
    QVERIFY(!scale.fitted);
    QCOMPARE(scale.colourOf(-pi / 2), scale.colourOf(3 * pi / 2));
    QCOMPARE(scale.colourOf(-pi), scale.colourOf(pi));
    QVERIFY(scale.colourOf(0) != scale.colourOf(pi));
  }

  void valuesBeyondAScaleAreReported() {
    ColourScale scale;
    scale.low = 0;
    scale.high = 0.5;
    const auto clipped = [&](float low, float high) {
      const Summary summary{.rows = 1, .cols = 3, .mean = {low, high, notANumber}};
      const ColourScale seen = clippedScale(scale, summary, Aggregate::mean);
      return std::pair(seen.clipsLow, seen.clipsHigh);
    };
    QCOMPARE(clipped(0, 0.5F), std::pair(false, false));
    QCOMPARE(clipped(0, 0.75F), std::pair(false, true));
    QCOMPARE(clipped(-1, 0.5F), std::pair(true, false));
    QCOMPARE(clipped(-infinity, infinity), std::pair(false, true));  // -inf has a colour of its own
    scale.kind = ValueScale::categorical;
    QCOMPARE(clipped(-1, 2), std::pair(false, false));
  }

  void zeroDifferenceHasAScale() {
    const Summary summary{.rows = 1, .cols = 3, .mean = {0, notANumber, -infinity}};
    const ColourScale scale = fittedScale(differenceScale(*find_method("t5_bucket"), false), summary, Aggregate::mean);
    QVERIFY(scale.low < 0 && scale.high > 0 && std::isfinite(scale.high));
    QCOMPARE(scale.colourOf(0), findColourMap("diverging")->at(0.5));
  }
};

VQSCOPE_TEST(SummaryPainterTest)
#include "summary_painter_test.moc"
