// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/kernels/kernels.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();

std::vector<float> row_of(Index n) {
  SeededRandom random(static_cast<std::uint64_t>(n) + 1);
  return normal_numbers(random, n, 3);
}

constexpr std::array lengths{0, 1, 15, 16, 17, 40, 257};

}  // namespace

/// Each build against the plain loop, at lengths around its vectors'.
class KernelsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_portable_build_is_always_there() {
    COMPARE_TEXT(usable_kernels().front()->name, "portable");
    COMPARE_TEXT(usable_kernels().back()->name, best_kernels().name);
  }

  void exponentials() {
    for (const AttentionKernels* kernels : usable_kernels()) {
      std::vector<float> row{-float_infinity, -1000, -87.5F, -86, -40, -3.3F, -1, -0.5F, -1e-8F, 0};
      const std::vector<float> scores = row;
      const float sum = kernels->exponentials(row.data(), static_cast<Index>(row.size()), 0);
      QCOMPARE(std::vector<float>(row.begin(), row.begin() + 3), (std::vector<float>{0, 0, 0}));
      for (std::size_t i = 3; i < row.size(); ++i)
        QVERIFY(std::abs(row[i] / std::exp(static_cast<double>(scores[i])) - 1) < 2.5e-7);
      QVERIFY(std::abs(sum - std::accumulate(row.begin(), row.end(), 0.0)) < 1e-6);
      QCOMPARE(row.back(), 1.0F);
    }
  }

  void along_rows() {
    for (const AttentionKernels* kernels : usable_kernels())
      for (const Index n : lengths) {
        const std::vector<float> row = row_of(n);
        const float largest = row.empty() ? -float_infinity : *std::ranges::max_element(row);
        QCOMPARE(kernels->largest(row.data(), n), largest);
        const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
        const double sum_of_row = std::accumulate(row.begin(), row.end(), 0.0);
        QVERIFY(std::abs(kernels->sum(row.data(), n) - sum_of_row) <= 1e-6 * squares);
        QVERIFY(std::abs(kernels->sum_of_squares(row.data(), n) - squares) <= 1e-6 * squares);
        std::vector<float> changed = row;
        const double sum = static_cast<double>(kernels->weigh(changed.data(), row.data(), n));
        QVERIFY(std::abs(sum - squares) <= 1e-6 * squares);
        kernels->scale(changed.data(), n, 2);
        kernels->add(changed.data(), row.data(), n);
        for (std::size_t i = 0; i < row.size(); ++i) QCOMPARE(changed[i], row[i] * row[i] * 2 + row[i]);
      }
  }

  void numbers_that_are_not_finite_are_found_anywhere() {
    for (const AttentionKernels* kernels : usable_kernels())
      for (const Index n : lengths) {
        std::vector<float> row = row_of(n);
        QVERIFY(kernels->all_finite(row.data(), n));
        for (float& x : row)
          for (const float broken : {float_infinity, -float_infinity, std::numeric_limits<float>::quiet_NaN()}) {
            const float kept = std::exchange(x, broken);
            QVERIFY(!kernels->all_finite(row.data(), n));
            x = kept;
          }
      }
  }

  void gathers_and_products() {
    for (const AttentionKernels* kernels : usable_kernels()) {
      const std::vector<float> table = row_of(40);
      const std::vector<std::int32_t> codes{3, 0, -1, 38, 7};
      std::vector<float> out(5);
      kernels->gather(table.data() + 1, codes.data(), 5, out.data());
      QCOMPARE(out, (std::vector<float>{table[4], table[1], table[0], table[39], table[8]}));
      const std::vector<float> a{1, 2, 9, 3, 4, 9}, b{1, 0, 0, 1, 1, 1};  // [2, 2] of [2, 3]; [3, 2]
      std::vector<float> products(2 * 4);
      kernels->row_products({a.data(), 2, 2, 3}, {b.data(), 3, 2, 2}, products.data(), 4);
      QCOMPARE(products, (std::vector<float>{1, 2, 3, 0, 3, 4, 7, 0}));
      kernels->add_product({a.data(), 2, 2, 3}, {b.data(), 2, 2, 2}, products.data(), 4);
      QCOMPARE(products, (std::vector<float>{2, 4, 3, 0, 6, 8, 7, 0}));
    }
  }

  void nearest_and_second_nearest() {
    for (const AttentionKernels* kernels : usable_kernels())
      for (const Index n : lengths) {
        if (n == 0) continue;
        const std::vector<float> products = row_of(n);
        const std::vector<float> norms(static_cast<std::size_t>(n), 1.0F);
        Nearest found;
        kernels->nearest({products.data(), 1, n, n}, norms.data(), &found);
        std::vector<float> values;
        for (const float product : products) values.push_back(1 - product);
        QCOMPARE(Index{found.code}, Index{std::ranges::min_element(values) - values.begin()});
        std::ranges::sort(values);
        QCOMPARE(found.best, values[0]);
        QCOMPARE(found.second, n == 1 ? float_infinity : values[1]);
      }
  }
};

VQSCOPE_TEST(KernelsTest)
#include "kernels_test.moc"
