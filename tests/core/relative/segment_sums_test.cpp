// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/segment_sums.h"

#include "tests/core/relative/before_all.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// |d| up to 3, nothing on 4 to 5, 7 beyond: even.
RelativeFunction small_even() {
  return {{smooth_from(before_all, [](double d) { return d; }), no_values_from(4), constant_from(6, 7)}, true};
}

RelativeFunction sawtooth() {
  RelativePiece piece{.begin = before_all, .kind = PieceKind::rough, .bounds = {0, 4}};
  piece.at = [](double d) { return std::fmod(std::fmod(d, 5) + 5, 5); };
  piece.fill = [at = piece.at](Index first, std::span<double> out) {
    for (double& value : out) value = at(static_cast<double>(first++));
  };
  return {{piece}};
}

/// By the definition.
SegmentSums slow_sums(const RelativeFunction& f, Index first, Index count, double centre) {
  SegmentSums all;
  for (Index i = 0; i < count; ++i) {
    const double value = f.at(first + i) - centre;
    all.sum += value;
    all.ramp += value * static_cast<double>(count - 1 - i);
  }
  return all;
}

}  // namespace

class SegmentSumsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Values 1, 2, 3 less 0.5: their sum is 4.5, and 0.5 · 2 + 1.5 · 1 + 2.5 · 0 = 2.5.
  void sums_by_hand() {
    const auto f = small_even();
    const SegmentReader reader(f, nullptr, 0.5);
    QCOMPARE(reader.sums(1, 3).sum, 4.5);
    QCOMPARE(reader.sums(1, 3).ramp, 2.5);
    // Backwards: 3, 2, 1, so 2.5 · 2 + 1.5 · 1.
    QCOMPARE(reader.sums(-3, 3).sum, 4.5);
    QCOMPARE(reader.sums(-3, 3).ramp, 6.5);
  }

  void constants_and_segments_without_values() {
    const auto f = small_even();
    const SegmentReader reader(f, nullptr, 2);
    QCOMPARE(reader.sums(6, 1'000'000).sum, 5e6);
    QCOMPARE(reader.sums(6, 4).ramp, 5.0 * (3 + 2 + 1));
    QCOMPARE(reader.sums(4, 2).sum, 0.0);
    QVERIFY(!reader.has_values(4) && !reader.has_values(-5) && reader.has_values(3) && reader.has_values(-6));
  }

  void borders_separate_pieces() {
    const auto f = small_even();
    const SegmentReader reader(f, nullptr, 0);
    const auto borders = reader.borders(-10, 10);
    QVERIFY(std::ranges::is_sorted(borders));
    for (const Index wanted : {-5, -3, 0, 4, 6})
      QVERIFY2(std::ranges::binary_search(borders, wanted), std::to_string(wanted).c_str());
    QVERIFY(borders.front() > -10 && borders.back() < 10);
    QVERIFY(reader.borders(7, 9).empty());
  }

  /// Smooth segments are no longer than their distance from 0, so that ten points suffice.
  void borders_of_smooth_functions_double() {
    const RelativeFunction f{{smooth_from(before_all, [](double d) { return d; })}};
    const auto borders = SegmentReader(f, nullptr, 0).borders(-5'000, 5'000);
    QCOMPARE(borders, (std::vector<Index>{-4095, -2047, -1023, -511, 0, 512, 1024, 2048, 4096}));
  }

  void borders_of_tables_are_chunks() {
    const auto f = sawtooth();
    const auto borders = SegmentReader(f, nullptr, 0).borders(-5'000, 9'000);
    QCOMPARE(borders, (std::vector<Index>{-4096, 0, 4096, 8192}));
  }

  void segments_between_borders_agree_with_the_definition() {
    Random random(1);
    for (const auto& f : {small_even(), sawtooth()}) {
      const DistanceTable table(f, {-9'000, 9'001});
      const SegmentReader reader(f, &table, 1.25);
      auto borders = reader.borders(-9'000, 9'000);
      borders.insert(borders.begin(), -9'000);
      borders.push_back(9'000);
      for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const Index first = pick(random, borders[i], borders[i + 1] - 1);
        const Index count = pick(random, 1, borders[i + 1] - first);
        const auto got = reader.sums(first, count);
        const auto [low, high] = reader.extremes(first, count);
        if (!reader.has_values(first)) {
          QVERIFY(got.sum == 0 && low > high);
          continue;
        }
        const auto wanted = slow_sums(f, first, count, 1.25);
        const double n = static_cast<double>(count);
        QVERIFY2(std::abs(got.sum - wanted.sum) <= 1e-8 * n, std::to_string(first).c_str());
        QVERIFY2(std::abs(got.ramp - wanted.ramp) <= 1e-8 * n * n, std::to_string(first).c_str());
        double least = f.at(first), most = least;
        for (Index k = 1; k < count; ++k) {
          least = std::min(least, f.at(first + k));
          most = std::max(most, f.at(first + k));
        }
        QCOMPARE(low, least);
        QCOMPARE(high, most);
      }
    }
  }

  void extremes_of_an_empty_segment() {
    const auto f = small_even();
    const SegmentReader reader(f, nullptr, 0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    QCOMPARE(reader.extremes(0, 0), (std::pair{infinity, -infinity}));
    QCOMPARE(reader.extremes(4, 2), (std::pair{infinity, -infinity}));
    QCOMPARE(reader.extremes(-3, 3), (std::pair{1.0, 3.0}));
  }
};

VQSCOPE_TEST(SegmentSumsTest)
#include "segment_sums_test.moc"
