// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/colour_scale.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/paint/colour_map.h"

#include <QColor>
#include <QTest>

#include <cmath>
#include <limits>

#include <set>

using namespace vqscope;

namespace {

ParameterValues valuesOf(const char* id, const ParameterValues::Map& set) {
  return default_values(find_method(id)->parameters, set);
}

ColourScale scaleOf(const char* id, const ParameterValues::Map& set = {}, const std::string& map = {},
                    bool dark = false) {
  const auto values = valuesOf(id, set);
  return colourScale(*find_method(id), make_field(*find_method(id), values).value(), values, map, dark);
}

Summary pixels(std::vector<float> values) {
  const auto count = static_cast<Index>(values.size());
  return {.rows = 1, .cols = count, .min = values, .max = values, .mean = std::move(values)};
}

}  // namespace

class ColourScaleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Scores of one sign: every colour is used.
  void oneSignUsesAllColours() {
    const ColourScale scale = scaleOf("rope_score_field");
    QVERIFY2(scale.low > 9 && std::abs(scale.high - 64) < 1e-9, qPrintable(QString::number(scale.low)));
    QVERIFY(!scale.centred);
    QCOMPARE(scale.map->id(), std::string("viridis"));
    QCOMPARE(scale.colourOf(scale.low), findColourMap("viridis")->at(0));
    QCOMPARE(scale.colourOf(scale.high), findColourMap("viridis")->at(1));
  }

  void bothSignsAreAround0() {
    const ColourScale scale = scaleOf("rope_score_field", {{"q_length", Index{8192}}});
    QVERIFY2(scale.low < -6 && scale.low > -64, qPrintable(QString::number(scale.low)));
    QVERIFY(scale.centred);
    QCOMPARE(scale.map->id(), std::string("diverging"));
    const ColourMap& map = *findColourMap("diverging");
    QCOMPARE(scale.colourOf(0), map.at(0.5));
    QCOMPARE(scale.colourOf(64), map.at(1));
    QCOMPARE(scale.colourOf(-16), map.at(0.5 - 16.0 / 128));
    // The ramp of the legend has the colours that occur, no others.
    QCOMPARE(scale.rampColour(0), scale.colourOf(scale.low));
    QCOMPARE(scale.rampColour(1), scale.colourOf(scale.high));
    QVERIFY(std::abs(scale.valueAt(scale.placeOf(5)) - 5) < 1e-9);
  }

  void scaleIsFittedToTheShownValues() {
    const ColourScale scale = scaleOf("rope_score_field");
    const ColourScale seen = fittedScale(scale, pixels({-3, 20, 64}), Aggregate::mean);
    QCOMPARE(seen.low, -3.0);
    QVERIFY(!seen.centred);  // far less than a tenth
    QVERIFY(fittedScale(scale, pixels({-30, 20, 64}), Aggregate::mean).centred);
  }

  void aChosenMapStays() {
    QCOMPARE(scaleOf("rope_score_field", {}, "magma").map->id(), std::string("magma"));
    const ColourScale scale = scaleOf("rope_score_field", {}, "diverging");
    QVERIFY(scale.centred);
    QCOMPARE(scale.colourOf(64), findColourMap("diverging")->at(1));
  }

  void decodersMuteFutureKeys() {
    const ColourScale scale = scaleOf("alibi");
    QCOMPARE(scale.decoderPast, std::optional<Index>(0));
    QCOMPARE(scale.high, 0.0);
    QVERIFY(scale.low < -100 && !scale.centred);
    QVERIFY(std::isnan(scale.used->at(3, 4)) && !std::isnan(scale.used->at(4, 4)));
    const ColourScale all = scaleOf("alibi", {{"future_keys", std::string("shown")}});
    QVERIFY(!all.used && !all.decoderPast);
    QCOMPARE(all.high, -all.low);
    QVERIFY(!scaleOf("t5_bias", {{"bidirectional", true}}).decoderPast);
    QVERIFY(scaleOf("t5_bias", {{"bidirectional", false}}).decoderPast);
  }

  void errorsAreDecades() {
    for (const char* id : {"rope_phase_error", "t5_bucket_error"}) {
      const ColourScale scale = scaleOf(id);
      QVERIFY(scale.logarithmic && scale.fitted);
      QCOMPARE(aggregateFor(scale, Aggregate::automatic), Aggregate::largest);
    }
    const ColourScale seen = fittedScale(scaleOf("rope_phase_error", {{"q_length", Index{131072}}}),
                                         pixels({0, 3e-6F, 0.02F}), Aggregate::mean);
    QVERIFY(seen.hasZero);
    QVERIFY2(std::abs(seen.low / 1e-6 - 1) < 1e-9 && std::abs(seen.high / 0.1 - 1) < 1e-9, "not whole decades");
    QCOMPARE(seen.colourOf(0), seen.zero);
    QCOMPARE(seen.colourOf(1e-6), seen.map->at(0));
    QCOMPARE(seen.colourOf(-1e-3), seen.map->at(0.6));
    QVERIFY(seen.colourOf(1e-6) != seen.zero);
  }

  void signsOfErrorsDoNotMatter() {
    const ColourScale seen = fittedScale(scaleOf("t5_bucket_error"), pixels({0, -1, 1, 0}), Aggregate::mean);
    QCOMPARE(seen.colourOf(-1), seen.colourOf(1));
    QVERIFY(seen.colourOf(1) != seen.colourOf(0));
  }

  void clippingIsReported() {
    ColourScale scale;
    scale.high = 0.5;
    const ColourScale seen = clippedScale(scale, pixels({0, 0.25F, 1}), Aggregate::mean);
    QVERIFY(seen.clipsHigh && !seen.clipsLow);
    QCOMPARE(seen.highest, 1.0);
  }

  void zeroIsDarkInTheDark() {
    const ColourScale scale = differenceScale(*find_method("t5_bucket"), true);
    QVERIFY2(QColor(scale.colourOf(0)).lightness() < 70, qPrintable(QColor(scale.colourOf(0)).name()));
    QVERIFY(QColor(scale.colourOf(1)).lightness() > 110 && QColor(scale.colourOf(-1)).lightness() > 110);
    const ColourScale angles = differenceScale(*find_method("rope_phase"), true);
    QVERIFY2(QColor(angles.colourOf(0)).lightness() < 70, qPrintable(QColor(angles.colourOf(0)).name()));
    QCOMPARE(angles.colourOf(-1), angles.colourOf(2 * std::numbers::pi - 1));
    QVERIFY(QColor(differenceScale(*find_method("t5_bucket"), false).colourOf(0)).lightness() > 200);
    // Of masks: four colours that can be told apart.
    const ColourScale masks = differenceScale(*find_method("visibility"), true);
    QVERIFY(masks.isMaskDifference() && !masks.fitted && !angles.isMaskDifference());
    const std::set<QRgb> colours{masks.rampColour(0), masks.rampColour(1), masks.reasonColours[0], masks.zero};
    QCOMPARE(colours.size(), std::size_t{4});
  }

  void labelsHaveNoMean() {
    using A = Aggregate;
    QCOMPARE(aggregates_of(*find_method("t5_bucket"), false), (std::vector<A>{A::automatic, A::min, A::max}));
    QCOMPARE(aggregates_of(*find_method("t5_bucket"), true),
             (std::vector<A>{A::automatic, A::min, A::max, A::largest}));
    QCOMPARE(aggregates_of(*find_method("alibi"), false).size(), std::size_t{5});
  }

  void newAnglesAreRed() {
    const ColourScale scale = scaleOf("rope_phase_seen", {{"q_length", Index{64}}});
    QCOMPARE(scale.categories.size(), std::size_t{2});
    QVERIFY(QColor(scale.colourOf(0)).saturation() < 40);
    QVERIFY(QColor(scale.colourOf(1)).saturation() > 120 && QColor(scale.colourOf(1)).red() > 180);
  }

  void everyMatrixHasAScale() {
    for (const Method& method : methods()) {
      if (!method.field()) continue;
      const auto values = default_values(method.parameters);
      const auto field = make_field(method, values);
      if (!field) continue;  // waits for a file
      for (const bool dark : {false, true}) {
        const ColourScale scale = colourScale(method, *field, values, {}, dark);
        QVERIFY2(scale.map && scale.high > scale.low, method.id.c_str());
      }
    }
  }
};

VQSCOPE_TEST(ColourScaleTest)
#include "colour_scale_test.moc"
