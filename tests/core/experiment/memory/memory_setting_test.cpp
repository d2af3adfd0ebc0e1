// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"

#include "core/experiment/memory/recall_study.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace vqscope;

namespace {

ParameterValues memory_values(const ParameterValues::Map& set) { return default_values(memory_parameters(), set); }

double cosine(const float* a, const float* b, Index n) {
  double product = 0, aa = 0, bb = 0;
  for (Index i = 0; i < n; ++i) {
    product += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return product / std::sqrt(aa * bb);
}

}  // namespace

class MemorySettingTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Each query of a later segment resembles a key of an earlier one, with the cosine match_cosine.
  void planted_matches() {
    const MemorySetting setting{.q_length = 400, .d_k = 256, .d_v = 2, .segment_len = 50, .match_cosine = 0.9};
    const MemoryTokens tokens = memory_tokens(setting);
    double sum = 0;
    for (Index i = 0; i < 400; ++i) {
      const Index match = tokens.matches[static_cast<std::size_t>(i)];
      QCOMPARE(match >= 0, i >= 50);
      if (match < 0) continue;
      QVERIFY(match < i / 50 * 50);
      sum += cosine(tokens.queries.data() + i * 256, tokens.keys.data() + match * 256, 256);
    }
    QVERIFY(std::abs(sum / 350 - 0.9) < 0.01);
    QCOMPARE(tokens.input().q.rows, Index{400});
    QCOMPARE(tokens.input().v.cols, Index{2});
  }

  /// LayerNorm without gain, times d_k^(-1/4): the squares of a row are d_k^(1/2) in sum.
  void rows_are_normalised() {
    const MemoryTokens tokens = memory_tokens({.q_length = 30, .d_k = 16, .d_v = 1, .segment_len = 10});
    for (std::size_t row = 0; row < 30; ++row) {
      double square = 0;
      for (std::size_t c = 0; c < 16; ++c) square += std::pow(static_cast<double>(tokens.keys[16 * row + c]), 2);
      QVERIFY(std::abs(square - 4) < 1e-3);
    }
    const MemoryTokens plain =
        memory_tokens({.q_length = 30, .d_k = 16, .d_v = 1, .segment_len = 10, .norm = QueryKeyNorm::none});
    QVERIFY(plain.keys != tokens.keys);
  }

  /// Three centres without spread: three different keys.
  void keys_in_clusters() {
    const MemoryTokens tokens = memory_tokens({.q_length = 90,
                                               .d_k = 4,
                                               .d_v = 1,
                                               .segment_len = 30,
                                               .norm = QueryKeyNorm::none,
                                               .clusters = 3,
                                               .spread = 0});
    std::set<std::vector<float>> keys;
    for (std::size_t row = 0; row < 90; ++row)
      keys.insert({tokens.keys.begin() + static_cast<std::ptrdiff_t>(4 * row),
                   tokens.keys.begin() + static_cast<std::ptrdiff_t>(4 * row + 4)});
    QCOMPARE(keys.size(), std::size_t{3});
  }

  /// Numbers depend on the seed, and the first tokens not on how many follow.
  void seeds_and_lengths() {
    const MemorySetting setting{.q_length = 40, .d_k = 4, .d_v = 3, .segment_len = 10};
    MemorySetting longer = setting, other = setting;
    longer.q_length = 60;
    other.seed = 1;
    const MemoryTokens tokens = memory_tokens(setting), more = memory_tokens(longer);
    QVERIFY(std::equal(tokens.keys.begin(), tokens.keys.end(), more.keys.begin()));
    QVERIFY(std::equal(tokens.values.begin(), tokens.values.end(), more.values.begin()));
    QVERIFY(memory_tokens(other).keys != tokens.keys);
  }

  /// Scores 0, ln 3 and 0 of the last query, whose segment is its own key: 4 of 5 parts are far.
  void far_weights_by_hand() {
    const std::vector<float> queries{1, 1, 1}, keys{0, std::log(3.0F), 0};
    const StridedMatrix q{queries.data(), 3, 1, 1}, k{keys.data(), 3, 1, 1};
    const auto weights = far_weights(q, k, 2, {0, 3}).value();
    QCOMPARE(weights[0].fraction(), 0.0);
    QCOMPARE(weights[1].fraction(), 0.0);
    QVERIFY(std::abs(weights[2].fraction() - 0.8) < 1e-6);  // keys 0 and 1 are of the segment before
    QVERIFY(std::abs(weights[2].far_sum - std::log(4.0)) < 1e-6);
    QVERIFY(std::abs(weights[2].local_sum) < 1e-6);
  }

  void words() {
    ParameterValues values;
    values.set("words", std::string("  the  cat "));
    QCOMPARE(words_of(values), (std::vector<std::string>{"the", "cat"}));
    COMPARE_TEXT(token_text(1, words_of(values)), "1 “cat”");
    COMPARE_TEXT(token_text(2, words_of(values)), "2");
  }

  void refused() {
    COMPARE_ERROR(memory_setting(memory_values({{"segment_len", Index{2000}}})),
                  "segment_len is 2000 but must be 1 to 1024, the number of tokens");
    QVERIFY(check_memory(memory_values({})));
    const auto large =
        check_memory(memory_values({{"q_length", Index{131072}}, {"d_k", Index{512}}, {"d_v", Index{4096}}}));
    QVERIFY(!large && large.error().message.starts_with("q_length 131072, d_k 512 and d_v 4096 need 2.5 GiB"));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(memory_tokens({.q_length = 50000}, stop.get_token()).keys.size() < 50000 * 64);
  }
};

VQSCOPE_TEST(MemorySettingTest)
#include "memory_setting_test.moc"
