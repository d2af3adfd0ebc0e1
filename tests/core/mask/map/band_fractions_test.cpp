// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/band_fractions.h"

#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Bands side by side in columns, all of the same rows; ends climb within their own columns.
std::vector<Band> random_bands(Random& random, Range rows) {
  std::vector<Band> bands;
  Index begin = pick(random, 0, 9);
  for (Index count = pick(random, 1, 3); count > 0; --count) {
    const Index end = begin + pick(random, 0, 15);
    const Index offset = pick(random, -20, 30);
    bands.push_back({rows, {offset, begin, end}, {offset + pick(random, 0, 12), begin, end}});
    begin = end;
  }
  return bands;
}

Index cells_in(std::span<const Band> bands, const Rect& tile) {
  Index cells = 0;
  for (Index q = tile.rows.begin; q < tile.rows.end; ++q)
    for (const Band& band : bands)
      if (band.rows.contains(q))
        for (Index kv = tile.cols.begin; kv < tile.cols.end; ++kv) cells += band.row(q).contains(kv);
  return cells;
}

}  // namespace

class BandFractionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void causal_by_hand() {
    const Band causal{{0, 8}, Ramp::constant(0), {1, 0, 8}};
    const std::vector<Index> edges{0, 2, 4, 8};
    BandFractions fractions(edges);
    std::vector<float> out(3);
    fractions.fill({&causal, 1}, {2, 4}, out.data());
    QCOMPARE(out, (std::vector<float>{1, 0.75F, 0}));
    fractions.fill({&causal, 1}, {0, 8}, out.data());
    QCOMPARE(out, (std::vector<float>{15.0F / 16, 11.0F / 16, 10.0F / 32}));
  }

  void fractions_agree_with_the_cells() {
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
      const Index split = pick(random, 1, 19);
      auto bands = random_bands(random, {0, split});
      for (const Band& band : random_bands(random, {split, 20})) bands.push_back(band);
      const auto edges = random_edges(random, 60);
      const Index first = pick(random, 0, 19);
      const Range rows{first, pick(random, first + 1, 20)};
      BandFractions fractions(edges);
      std::vector<float> out(edges.size() - 1, -1);
      fractions.fill(bands_in(bands, rows), rows, out.data());
      for (std::size_t x = 0; x < out.size(); ++x) {
        const Rect tile{rows, {edges[x], edges[x + 1]}};
        QCOMPARE(out[x],
                 static_cast<float>(static_cast<double>(cells_in(bands, tile)) / static_cast<double>(tile.area())));
      }
    }
  }

  void pieces_of_rows_add_up() {
    Random random(2);
    for (int i = 0; i < 500; ++i) {
      const Index split = pick(random, 1, 19);
      auto bands = random_bands(random, {0, split});
      for (const Band& band : random_bands(random, {split, 20})) bands.push_back(band);
      const auto edges = random_edges(random, 60);
      BandFractions fractions(edges);
      std::vector<float> whole(edges.size() - 1, -1);
      std::vector<float> pieces = whole;
      fractions.fill(bands, {0, 20}, whole.data());
      fractions.clear();
      const Index cut = pick(random, 1, 19);
      for (const Range piece : {Range{0, cut}, Range{cut, 20}}) fractions.add(bands_in(bands, piece), piece);
      fractions.store({0, 20}, pieces.data());
      QCOMPARE(pieces, whole);
    }
  }

  void rows_do_not_affect_each_other() {
    const std::vector<Index> edges{0, 3, 7};
    const Band full{{0, 9}, Ramp::constant(0), Ramp::constant(7)};
    const std::vector<Band> two{{{0, 9}, Ramp::constant(0), Ramp::constant(1)},
                                {{0, 9}, Ramp::constant(5), Ramp::constant(7)}};
    BandFractions fractions(edges);
    std::vector<float> out(2);
    for (int i = 0; i < 2; ++i) {
      fractions.fill(two, {0, 9}, out.data());
      QCOMPARE(out, (std::vector<float>{1.0F / 3, 0.5F}));
      fractions.fill({&full, 1}, {0, 9}, out.data());
      QCOMPARE(out, (std::vector<float>{1, 1}));
    }
  }
};

VQSCOPE_TEST(BandFractionsTest)
#include "band_fractions_test.moc"
