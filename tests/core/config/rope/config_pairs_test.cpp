// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;

namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// Four pairs of a head of 8 dimensions with theta 10,000: inv_freq 1, 0.1, 0.01, 0.001.
RopeUse four_pairs(const std::string& type, double factor = 4) {
  RopeUse use;
  use.scaling.rope_type = type;
  use.scaling.head_dim = 8;
  use.scaling.factor = factor;
  use.scaling.original_max_position_embeddings = 1000;
  use.max_position_embeddings = 4000;
  use.seq_len = use.scaling.seq_len = 4000;
  return use;
}

/// A letter a pair: k, b, s.
std::string fates(const RopeUse& use) {
  std::string text;
  for (const auto& pair : config_pairs(use))
    text += pair.fate == PairFate::kept ? 'k' : pair.fate == PairFate::blended ? 'b' : 's';
  return text;
}

bool close(double got, double wanted) { return std::abs(got / wanted - 1) < 1e-12; }

}  // namespace

class ConfigPairsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void four_pairs_by_hand() {
    const auto pairs = config_pairs(four_pairs("linear"));
    QCOMPARE(pairs.size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
      const double plain = std::pow(10.0, -static_cast<double>(i));
      QVERIFY(close(pairs[i].plain_inv_freq, plain));
      QVERIFY(close(pairs[i].inv_freq, plain / 4));
      QVERIFY(close(pairs[i].wavelength, whole_turn / (plain / 4)));
      QVERIFY(close(pairs[i].trained_turns, 1000 * plain / whole_turn));
      QVERIFY(close(pairs[i].served_turns, 4000 * (plain / 4) / whole_turn));
    }
  }

  void default_keeps_and_linear_scales_every_pair() {
    COMPARE_TEXT(fates(four_pairs("default")), "kkkk");
    COMPARE_TEXT(fates(four_pairs("linear")), "ssss");
    COMPARE_TEXT(fates(four_pairs("linear", 1)), "kkkk");
  }

  /// llama3 by turns within 1000 tokens: 159, 15.9, 1.59 and 0.159. With 1 and 4: kept above 4,
  /// scaled below 1.
  void llama3_keeps_the_fast_and_scales_the_slow() {
    COMPARE_TEXT(fates(four_pairs("llama3")), "kkbs");
    auto use = four_pairs("llama3");
    use.scaling.high_freq_factor = 20;
    COMPARE_TEXT(fates(use), "kbbs");
    const auto pair = config_pairs(use)[1];
    QVERIFY(pair.inv_freq < pair.plain_inv_freq && pair.inv_freq > pair.plain_inv_freq / 4);
  }

  /// One larger theta: the first pair stays, the last is divided by the whole factor, those between
  /// by less.
  void ntk_and_dynamic_blend_all_but_the_ends() {
    COMPARE_TEXT(fates(four_pairs("ntk")), "kbbs");
    COMPARE_TEXT(fates(four_pairs("dynamic")), "kbbs");
    // 4 · (4000 / 1000) - 3 = 13.
    const auto last = config_pairs(four_pairs("dynamic")).back();
    QVERIFY(std::abs(last.plain_inv_freq / last.inv_freq - 13) < 1e-9);
  }

  /// Up to the training length nothing is scaled.
  void types_that_follow_the_length_keep_short_sequences() {
    for (const char* type : {"dynamic", "dynamic_linear"}) {
      auto use = four_pairs(type);
      use.seq_len = use.scaling.seq_len = 1000;
      COMPARE_TEXT(fates(use), "kkkk");
    }
    COMPARE_TEXT(fates(four_pairs("dynamic_linear")), "ssss");
  }

  void longrope_has_a_number_for_each_pair() {
    auto use = four_pairs("longrope");
    use.scaling.short_factor = {1, 1, 1, 2};
    use.scaling.long_factor = {1, 2, 4, 8};
    COMPARE_TEXT(fates(use), "ksss");
    QVERIFY(close(config_pairs(use)[3].inv_freq, 0.001 / 8));
    use.seq_len = use.scaling.seq_len = 1000;
    COMPARE_TEXT(fates(use), "kkks");
  }

  void frequencies_of_another_length() {
    const RopeScaling scaling = four_pairs("dynamic").scaling;
    const auto at = [&](Index length) { return inv_freq_of(scaling, length); };
    QCOMPARE(at(1), at(1000));
    QVERIFY(at(4000)[3] < at(2000)[3] && at(2000)[3] < at(1000)[3]);
    QCOMPARE(at(4000)[0], 1.0);
  }

  /// yarn and dynamic reach factor · training length, whatever max_position_embeddings says.
  void the_longest_sequence_served() {
    auto use = four_pairs("yarn", 8);
    QCOMPARE(served_length(use), Index{8000});
    use.scaling.rope_type = "dynamic";
    QCOMPARE(served_length(use), Index{8000});
    for (const char* type : {"default", "linear", "llama3", "longrope"}) {
      use.scaling.rope_type = type;
      QCOMPARE(served_length(use), Index{4000});
    }
    use.scaling.rope_type = "yarn";
    use.scaling.factor = 1.0005;
    use.max_position_embeddings = 10;
    QCOMPARE(served_length(use), Index{1001});
    use.scaling.factor = 1024;
    use.scaling.original_max_position_embeddings = Index{1} << 31;
    QCOMPARE(served_length(use), Index{1} << 32);
  }

  void pair_fates_are_counted() {
    auto use = four_pairs("llama3");
    use.pairs = config_pairs(use);
    QCOMPARE(use.count(PairFate::kept), Index{2});
    QCOMPARE(use.count(PairFate::blended), Index{1});
    QCOMPARE(use.count(PairFate::scaled), Index{1});
  }
};

VQSCOPE_TEST(ConfigPairsTest)
#include "config_pairs_test.moc"
