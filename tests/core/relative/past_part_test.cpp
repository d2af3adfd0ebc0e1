// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/past_part.h"

#include "core/relative/relative_field.h"
#include "tests/core/relative/before_all.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

RelativePiece wave_from(Index begin) {
  const auto at = [](double d) { return std::cos(0.3 * d) + 0.01 * d; };
  return {.begin = begin,
          .kind = PieceKind::rough,
          .at = at,
          .fill =
              [at](Index first, std::span<double> out) {
                for (double& value : out) value = at(static_cast<double>(first++));
              },
          .bounds = {-20, 20}};
}

/// Even and uneven functions with pieces of every kind.
std::vector<RelativeFunction> functions() {
  const auto slope = [](double d) { return -0.5 * d; };
  return {{{smooth_from(before_all, slope), constant_from(1, 7)}},
          {{constant_from(before_all, 3), wave_from(-9), no_values_from(-2), constant_from(0, 1), wave_from(5)}},
          {{wave_from(before_all)}, true},
          {{smooth_from(before_all, slope), constant_from(4, -9), wave_from(11)}, true},
          {{constant_from(before_all, 2), no_values_from(6)}, true}};
}

/// Not a function of relative position.
class Product : public Field {
 public:
  Extent extent() const override { return {37, 45}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return static_cast<double>((row + 1) * (col + 2)); }
  std::pair<double, double> value_range() const override { return {2, 2000}; }
};

/// The first tile whose mean or extremes are not those of the cells that are used, or nothing.
QString part_differs(const Field& field, const Field& part, Index past_len, const TileGrid& grid) {
  Summary summary;
  if (!part.summarize(grid, {}, summary)) return "cancelled";
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      double low = std::numeric_limits<double>::quiet_NaN();
      double high = low;
      double sum = 0;
      double count = 0;
      for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
        for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
          const bool used = col <= past_len + row;
          if (std::isnan(part.at(row, col)) != (!used || std::isnan(field.at(row, col)))) return "a cell";
          if (!used || std::isnan(field.at(row, col))) continue;
          low = std::fmin(low, field.at(row, col));
          high = std::fmax(high, field.at(row, col));
          sum += field.at(row, col);
          ++count;
        }
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const auto near = [](float got, double wanted) {
        if (std::isnan(wanted)) return std::isnan(got);
        return std::abs(static_cast<double>(got) - wanted) <= 1e-5 * std::max(1.0, std::abs(wanted));
      };
      if (!near(summary.min[at], low) || !near(summary.max[at], high) || !near(summary.mean[at], sum / count))
        return QString("tile (%1, %2): %3 instead of %4").arg(i).arg(j).arg(summary.mean[at]).arg(sum / count);
    }
  return {};
}

}  // namespace

class PastPartTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_past_of_a_function() {
    for (const auto& f : functions()) {
      const RelativeFunction past = past_part(f);
      std::vector<double> filled(81);
      past.fill(-60, filled);
      for (Index d = -60; d <= 20; ++d) {
        const double value = past.at(d);
        const double wanted = d <= 0 ? f.at(d) : std::numeric_limits<double>::quiet_NaN();
        QVERIFY2(std::isnan(wanted) ? std::isnan(value) : value == wanted, qPrintable(QString::number(d)));
        const double quick = filled[static_cast<std::size_t>(d + 60)];
        QVERIFY(std::isnan(wanted) ? std::isnan(quick) : std::abs(quick - wanted) < 1e-12);
      }
    }
  }

  void summaries_leave_out_later_keys() {
    Random random(3);
    for (const auto& f : functions())
      for (int i = 0; i < 60; ++i) {
        const Index past_len = pick(random, 0, 1) * pick(random, 0, 30);
        const Extent extent{pick(random, 1, 50), pick(random, 1, 70)};
        const auto field = std::make_shared<RelativeField>(extent, past_len, f, RelativeTexts{"value", {}});
        const auto part = make_past_part(field, past_len);
        QCOMPARE(part_differs(*field, *part, past_len, random_tile_grid(random, extent)), QString());
      }
  }

  void any_field_has_a_past() {
    Random random(4);
    const auto field = std::make_shared<Product>();
    for (int i = 0; i < 200; ++i) {
      const Index past_len = pick(random, 0, 12);
      const auto part = make_past_part(field, past_len);
      QCOMPARE(part_differs(*field, *part, past_len, random_tile_grid(random, field->extent())), QString());
      QVERIFY(part->report(0, 44).facts == field->report(0, 44).facts);
    }
  }

  void range_covers_only_the_past() {
    const RelativeFunction f{{smooth_from(before_all, [](double d) { return -d; }), constant_from(1, -99)}};
    const auto field = std::make_shared<RelativeField>(Extent{11, 11}, 0, f, RelativeTexts{"value", {}});
    QCOMPARE(field->value_range(), (std::pair{-99.0, 10.0}));
    QCOMPARE(make_past_part(field, 0)->value_range(), (std::pair{0.0, 10.0}));
  }

  /// Exact at every length, as the function itself.
  void long_sequences_are_exact() {
    const Index length = Index{1} << 21;
    const RelativeFunction f{{smooth_from(before_all, [](double d) { return d; })}};
    const auto field = std::make_shared<RelativeField>(Extent{length, length}, 0, f, RelativeTexts{"value", {}});
    Summary summary;
    QVERIFY(make_past_part(field, 0)->summarize({{0, length}, {0, length}}, {}, summary));
    QVERIFY(summary.exact);
    // The mean of k - q over k <= q is -(n - 1) / 3.
    QVERIFY(std::abs(static_cast<double>(summary.mean[0]) / (-static_cast<double>(length - 1) / 3) - 1) < 1e-6);
    QCOMPARE(summary.max[0], 0.0F);
  }
};

VQSCOPE_TEST(PastPartTest)
#include "past_part_test.moc"
