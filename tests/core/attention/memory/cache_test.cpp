// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/cache.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index d_v = 5;
constexpr Index n_code = 6;

/// Random blocks, of which one is empty and some keys are not valid.
struct Blocks {
  Blocks(Index count, std::uint64_t seed) {
    SeededRandom random(seed);
    values = normal_numbers(random, count * 16 * d_v);
    for (Index j = 0; j < count * 16; ++j) codes.push_back(static_cast<std::int32_t>(random.bits() % (n_code + 1)) - 1);
    for (Index i = 0; i < count; ++i)
      all.push_back({codes.data() + i * 16, values.data() + i * 16 * d_v, i == 2 ? 0 : 16 - i % 3});
  }

  std::vector<float> values;
  std::vector<std::int32_t> codes;
  std::vector<CachedKeys> all;
};

/// Counts and means of the first blocks, from sums in double.
CacheStates by_definition(const Blocks& blocks) {
  CacheStates states(static_cast<Index>(blocks.all.size()) + 1, n_code, d_v);
  std::vector<double> sums(n_code * d_v);
  for (Index i = 1; i < states.states; ++i) {
    std::copy_n(states.counts_of(i - 1), n_code, states.counts_of(i));
    const CachedKeys& keys = blocks.all[static_cast<std::size_t>(i - 1)];
    for (Index j = 0; j < keys.count; ++j) {
      if (keys.codes[j] < 0) continue;
      ++states.counts_of(i)[keys.codes[j]];
      for (Index c = 0; c < d_v; ++c)
        sums[static_cast<std::size_t>(keys.codes[j] * d_v + c)] += static_cast<double>(keys.values[j * d_v + c]);
    }
    for (Index x = 0; x < n_code * d_v; ++x)
      if (const double count = states.counts_of(i)[x / d_v]; count > 0)
        states.means_of(i)[x] = static_cast<float>(sums[static_cast<std::size_t>(x)] / count);
  }
  return states;
}

}  // namespace

class CacheTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Code 1: mean of 2 and 4, then 9 besides: (2 / 3) · 3 + 9 / 3.
  void by_hand() {
    const std::vector<std::int32_t> codes{1, 1, -1, 1};
    const std::vector<float> values{2, 4, 100, 9};
    CacheStates states(3, 2, 1);
    add_keys({codes.data(), values.data(), 3}, states, 0, 1);
    add_keys({codes.data() + 3, values.data() + 3, 1}, states, 1, 2);
    QCOMPARE(states.counts, (std::vector<double>{0, 0, 0, 2, 0, 3}));
    QCOMPARE(states.means, (std::vector<float>{0, 0, 0, 3, 0, 5}));
    CacheStates merged(1, 2, 1);
    merge(states, 1, states, 2, merged, 0);
    QCOMPARE(merged.counts, (std::vector<double>{0, 5}));
    QCOMPARE(merged.means, (std::vector<float>{0, 0.4F * 3 + 0.6F * 5}));
  }

  void reductions_give_the_same() {
    for (const Index count : {1, 2, 3, 4, 7, 8, 13, 32})
      for (const int threads : {1, 3}) {
        const Blocks blocks(count, static_cast<std::uint64_t>(count));
        const CacheStates wanted = by_definition(blocks);
        CacheStates scanned(count + 1, n_code, d_v);
        scan_cache(blocks.all, threads, {}, scanned);
        CacheStates multiplied(count + 1, n_code, d_v);
        matmul_cache(blocks.all, threads, best_kernels(), {}, multiplied);
        CacheStates associated(count + 1, n_code, d_v);
        associative_scan_cache(blocks.all, threads, {}, associated);
        for (const CacheStates* got : {&scanned, &multiplied, &associated}) {
          QCOMPARE(got->counts, wanted.counts);
          COMPARE_TEXT(farther(got->means, wanted.means, 1e-6, {1}), "");
        }
      }
  }

  void a_scan_is_continued() {
    const Blocks blocks(6, 3);
    const CacheStates wanted = by_definition(blocks);
    CacheStates first(4, n_code, d_v);
    scan_cache(std::span(blocks.all).first(3), 1, {}, first);
    CacheStates second(4, n_code, d_v);
    std::copy_n(first.counts_of(3), n_code, second.counts_of(0));
    std::copy_n(first.means_of(3), n_code * d_v, second.means_of(0));
    scan_cache(std::span(blocks.all).subspan(3), 1, {}, second);
    QVERIFY(std::equal(second.counts_of(3), second.counts_of(3) + n_code, wanted.counts_of(6)));
  }
};

VQSCOPE_TEST(CacheTest)
#include "cache_test.moc"
