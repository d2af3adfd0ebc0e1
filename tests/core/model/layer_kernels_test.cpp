// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernels/layer_kernels.h"

#include "core/base/random.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace vqscope;

namespace {

template <class Real>
using Row = std::vector<Real>;

template <class Real>
Row<Real> random_row(std::uint64_t seed, std::size_t n, double low, double high) {
  SeededRandom random(seed);
  Row<Real> row(n);
  for (Real& value : row) value = static_cast<Real>(low + (high - low) * random.uniform());
  return row;
}

/// Whether values agree to some units in the last place of the sum of their terms.
template <class Real>
bool agree(const Row<Real>& got, const std::vector<double>& wanted) {
  const double allowed = 200 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(static_cast<double>(got[i]) - wanted[i]) <= allowed * (1 + std::abs(wanted[i])))) {
      qWarning("%zu: got %.17g, expected %.17g", i, static_cast<double>(got[i]), wanted[i]);
      return false;
    }
  return true;
}

constexpr std::size_t row_sizes[]{0, 1, 7, 8, 15, 16, 17, 100, 600};

template <class Real>
std::vector<double> doubles(const Row<Real>& row) {
  return {row.begin(), row.end()};
}

template <class Real>
void exponentials_of(const LayerKernels<Real>& kernels, std::size_t n) {
  const auto count = static_cast<Index>(n);
  const Row<Real> row = random_row<Real>(n, n, -90, 3);
  const Real most = kernels.largest(row.data(), count);
  const auto expected_most = n == 0 ? -std::numeric_limits<Real>::infinity() : *std::ranges::max_element(row);
  QCOMPARE(most, expected_most);
  if (n == 0) return;
  std::vector<double> exponentials;
  for (const Real x : row) exponentials.push_back(std::exp(static_cast<double>(x) - static_cast<double>(most)));
  const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);
  Row<Real> out = row, added(n, Real{1});
  QVERIFY(agree<Real>({kernels.sum_of_exponentials(row.data(), count, most)}, {sum}));
  QVERIFY(agree<Real>({kernels.exponentials(out.data(), count, most)}, {sum}));
  QVERIFY(agree(out, exponentials));
  kernels.add_exponentials(row.data(), count, most, Real{2}, added.data());
  for (double& each : exponentials) each = 1 + 2 * each;
  QVERIFY(agree(added, exponentials));
}

template <class Real>
void rows_of(const LayerKernels<Real>& kernels, std::size_t n) {
  const auto count = static_cast<Index>(n);
  const Row<Real> p = random_row<Real>(1, n, 0, 1), other = random_row<Real>(2, n, -1, 1);
  double product = 0;
  std::vector<double> scaled, reversed, differences;
  for (std::size_t i = 0; i < n; ++i) {
    const auto a = static_cast<double>(p[i]), b = static_cast<double>(other[i]);
    product += a * b;
    scaled.push_back(3 * b);
    reversed.push_back(3 * b + static_cast<double>(p[n - 1 - i]));
    differences.push_back(2 * a * (b - 0.5));
  }
  QVERIFY(agree<Real>({kernels.product(p.data(), other.data(), count)}, {product}));
  Row<Real> out = other;
  kernels.scale(out.data(), count, Real{3});
  QVERIFY(agree(out, scaled));
  out = other;
  kernels.scale_and_add(out.data(), count, Real{3}, p.data());
  QVERIFY(agree(out, reversed));
  out = other;
  kernels.weigh_differences(p.data(), count, static_cast<Real>(0.5), Real{2}, out.data());
  QVERIFY(agree(out, differences));
}

template <class Real>
void gates_of(const LayerKernels<Real>& kernels, std::size_t n) {
  const auto count = static_cast<Index>(n);
  const Row<Real> gate = random_row<Real>(3, n, -50, 50), up = random_row<Real>(4, n, -1, 1);
  std::vector<double> y, dgate, dup;
  for (std::size_t i = 0; i < n; ++i) {
    const auto z = static_cast<double>(gate[i]), u = static_cast<double>(up[i]), s = 1 / (1 + std::exp(-z));
    y.push_back(z * s * u);
    dgate.push_back(1 + u * (s + z * s * (1 - s)));
    dup.push_back(1 + z * s);
  }
  const Row<Real> ones(n, Real{1});
  Row<Real> out(n), dout(n, Real{1}), dother(n, Real{1}), alone(n), same(n);
  kernels.gated(count, gate.data(), up.data(), out.data());
  QVERIFY(agree(out, y));
  kernels.gated_backward(count, gate.data(), up.data(), ones.data(), dout.data(), dother.data());
  QVERIFY(agree(dout, dgate) && agree(dother, dup));
  kernels.gated(count, gate.data(), nullptr, alone.data());
  kernels.gated(count, gate.data(), ones.data(), same.data());
  QVERIFY(agree(alone, doubles(same)));
  std::ranges::fill(dout, Real{0});
  std::ranges::fill(same, Real{0});
  kernels.gated_backward(count, gate.data(), nullptr, up.data(), dout.data(), nullptr);
  kernels.gated_backward(count, gate.data(), ones.data(), up.data(), same.data(), dother.data());
  QVERIFY(agree(dout, doubles(same)));
}

/// Four candidates, of which two are equally near; columns that only fill a line are never taken.
template <class Real>
void nearest_of(const LayerKernels<Real>& kernels) {
  constexpr Index count = 2 * lane_count<Real>;
  Row<Real> columns(static_cast<std::size_t>(2 * count), std::numeric_limits<Real>::infinity());
  const std::pair<Index, std::array<Real, 2>> candidates[]{{1, {5, 5}}, {3, {1, 0}}, {count - 2, {0, 1}}, {0, {9, 9}}};
  for (const auto& [place, values] : candidates)
    for (Index i = 0; i < 2; ++i)
      columns[static_cast<std::size_t>(i * count + place)] = values[static_cast<std::size_t>(i)];
  const std::array<Real, 2> origin{0, 0}, far{9, 8}, broken{std::numeric_limits<Real>::quiet_NaN(), 0};
  const auto between = kernels.nearest(origin.data(), 2, columns.data(), count);
  QCOMPARE(between.index, Index{3});
  QCOMPARE(between.squared_distance, Real{1});
  QCOMPARE(kernels.nearest(far.data(), 2, columns.data(), count).index, Index{0});
  QVERIFY(std::isinf(kernels.nearest(broken.data(), 2, columns.data(), count).squared_distance));
}

/// The same numbers at another address give the same bits; what is not a number stays none.
template <class Real>
void addresses_of(const LayerKernels<Real>& kernels) {
  constexpr std::size_t n = 37;
  const Row<Real> row = random_row<Real>(5, n, -20, 0);
  Row<Real> first(n), moved(n + 1);
  std::ranges::copy(row, first.begin());
  std::ranges::copy(row, moved.begin() + 1);
  QCOMPARE(kernels.exponentials(first.data(), n, Real{0}), kernels.exponentials(moved.data() + 1, n, Real{0}));
  QVERIFY(std::equal(first.begin(), first.end(), moved.begin() + 1));
  first[4] = std::numeric_limits<Real>::quiet_NaN();
  first[5] = -std::numeric_limits<Real>::infinity();
  QVERIFY(std::isnan(kernels.exponentials(first.data(), n, Real{1})));
  QVERIFY(std::isnan(first[4]) && first[5] == 0);
}

template <class Real>
void check_builds() {
  const auto builds = usable_layer_kernels<Real>();
  QCOMPARE(builds.back(), &best_layer_kernels<Real>());
  for (const auto* kernels : builds) {
    for (const std::size_t n : row_sizes) {
      exponentials_of(*kernels, n);
      rows_of(*kernels, n);
      gates_of(*kernels, n);
    }
    nearest_of(*kernels);
    addresses_of(*kernels);
  }
}

}  // namespace

/// Each build against the definitions in double; LayerTest compares the norms.
class LayerKernelsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void floats() { check_builds<float>(); }
  void doubles() { check_builds<double>(); }
};

VQSCOPE_TEST(LayerKernelsTest)
#include "layer_kernels_test.moc"
