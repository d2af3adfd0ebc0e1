// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/summary_painter.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace vqscope;

namespace {

struct Buckets {
  ParameterValues values = default_values(find_method("t5_bucket")->parameters);
  std::shared_ptr<const Field> field;
  ColourScale scale;

  explicit Buckets(Index length) {
    values.set("q_length", length);
    field = make_field(*find_method("t5_bucket"), values).value();
    scale = colourScale(*find_method("t5_bucket"), field, values, {}, false);
  }
};

/// The mean colour of the cells, one by one.
QRgb meanOfCells(const Buckets& buckets, const Rect& tile) {
  double red = 0;
  double green = 0;
  double blue = 0;
  for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
    for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
      const QRgb colour = buckets.scale.colourOf(buckets.field->at(row, col));
      red += qRed(colour);
      green += qGreen(colour);
      blue += qBlue(colour);
    }
  const auto channel = [&](double sum) {
    return static_cast<int>(std::lround(sum / static_cast<double>(tile.area())));
  };
  return qRgb(channel(red), channel(green), channel(blue));
}

LabelMix mixOf(const Field& field, const ColourScale& scale, const TileGrid& grid, Index maxCells) {
  Summary summary;
  if (!field.summarize(grid, {}, summary)) return {};
  return mixLabels(field, grid, summary, scale, maxCells, 2, {});
}

/// The same labels without a way to count them.
class Uncounted : public Field {
 public:
  explicit Uncounted(std::shared_ptr<const Field> field) : m_field(std::move(field)) {}
  Extent extent() const override { return m_field->extent(); }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override { return m_field->at(row, col); }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return m_field->summarize(grid, options, out);
  }
  std::pair<double, double> value_range() const override { return m_field->value_range(); }

 private:
  std::shared_ptr<const Field> m_field;
};

}  // namespace

class LabelMixTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void byHand() {
    const Buckets buckets(16);
    const QRgb a = buckets.scale.colourOf(0);
    const QRgb b = buckets.scale.colourOf(17);
    const QRgb mixed = mixedColour({{0, 3}, {17, 1}}, buckets.scale);
    QCOMPARE(qRed(mixed), static_cast<int>(std::lround((3 * qRed(a) + qRed(b)) / 4.0)));
    QCOMPARE(mixedColour({{4, 9}}, buckets.scale), buckets.scale.colourOf(4));
  }

  void tilesOverSeveralLabelsMixTheirCells() {
    const Buckets buckets(400);
    const TileGrid grid{even_edges({0, 400}, 13), even_edges({0, 400}, 17)};
    for (const auto& field :
         {buckets.field, std::shared_ptr<const Field>(std::make_shared<Uncounted>(buckets.field))}) {
      const LabelMix mix = mixOf(*field, buckets.scale, grid, 1 << 20);
      QVERIFY(mix.mixes && mix.exact);
      for (Index i = 0; i < grid.rows(); ++i)
        for (Index j = 0; j < grid.cols(); ++j) {
          const QRgb colour = mix.colours[static_cast<std::size_t>(i * grid.cols() + j)];
          if (colour != 0) QCOMPARE(colour, meanOfCells(buckets, grid.tile(i, j)));
        }
    }
  }

  /// Two million tokens on 300 pixels, counted and not looked at.
  void longSequencesAreExact() {
    const Buckets buckets(Index{1} << 21);
    const Range all{0, Index{1} << 21};
    const LabelMix mix = mixOf(*buckets.field, buckets.scale, {even_edges(all, 300), even_edges(all, 300)}, 1);
    QVERIFY(mix.mixes && mix.exact);
    // The diagonal is half past, half future: a mixture of both last buckets.
    const QRgb past = buckets.scale.colourOf(15);
    const QRgb future = buckets.scale.colourOf(31);
    QVERIFY(std::abs(qRed(mix.colours[0]) - (qRed(past) + qRed(future)) / 2) <= 2);
  }

  void withoutCountsTheMostFrequentLabelIsShown() {
    const Buckets buckets(3000);
    const Uncounted field(buckets.field);
    const LabelMix mix = mixOf(field, buckets.scale, {{0, 1500, 3000}, {0, 1500, 3000}}, 100);
    QVERIFY(mix.mixes && !mix.exact);
    const QRgb colour = mix.colours[0];
    QVERIFY(colour == buckets.scale.colourOf(15) || colour == buckets.scale.colourOf(31));
  }

  void oneLabelNeedsNoMixture() {
    const Buckets buckets(400);
    const LabelMix mix = mixOf(*buckets.field, buckets.scale, {{300, 400}, {0, 100}}, 1);
    QVERIFY(!mix.mixes && mix.colours.empty());
  }
};

VQSCOPE_TEST(LabelMixTest)
#include "label_mix_test.moc"
