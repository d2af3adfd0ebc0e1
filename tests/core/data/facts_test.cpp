// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/facts.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

using namespace vqscope;

namespace {

std::string characters(const ScoredText& text) { return {text.tokens.begin(), text.tokens.end()}; }

}  // namespace

class FactsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void tables_of_the_definition() {
    QCOMPARE(facts::word_successors()[0], (std::array<Index, 4>{7, 15, 2, 5}));
    QCOMPARE(facts::word_successors()[15], (std::array<Index, 4>{10, 8, 14, 13}));
    QCOMPARE(facts::fact_character(0, 0), Index{'!'});
    QCOMPARE(facts::fact_character(1, 7), Index{'8'});
    QCOMPARE(facts::fact_character(7, 7), Index{'x'});
  }

  void characters_of_the_definition() {
    QCOMPARE(
        characters(facts::stream(0, 96)),
        std::string("hbmcnGgcfkmkgmmcnafji3Gniniiiih2<afnhahbmfkmcesWj1.gfnahbmclahbh2<fjlpnafkgmWmmkepo2<mclacep1."
                    "kg"));
    QCOMPARE(characters(facts::stream(1, 96)),
             std::string("hbmcfmmclcnahbhfmmm0\"kTpniocejlepniiocfngmfmcfkepiokmmkmkgfmmkmfmfnhafkedl\"3Fpih3Ffnhmkgmk"
                         "ehb7wh"));
    QCOMPARE(
        characters(facts::stream(2, 96)),
        std::string("clehapn3Ha7rfjgcejlacnihacnhbobhaclcnhbhbhfnghahapiinh<JmfkmJmm3Hfjinina<cehfkpkgf3H2<jlpkmcni"
                    "3H"));
  }

  /// Of the reference beside the definition: a sum over all characters, and the number of answers.
  void long_texts_of_the_definition() {
    const std::pair<std::uint64_t, Index> expected[]{
        {6912184478533095578U, 5901}, {12138338151640033617U, 5833}, {2010942052100863407U, 5930}};
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const ScoredText text = facts::stream(seed, 100000);
      std::uint64_t sum = 0;
      for (const std::int32_t character : text.tokens) sum = 31 * sum + static_cast<std::uint64_t>(character);
      QCOMPARE(sum, expected[seed].first);
      QCOMPARE(static_cast<Index>(std::ranges::count(text.answers, true)), expected[seed].second);
      QCOMPARE(text.tokens[facts::document_length - 1], std::int32_t{'\n'});
    }
  }

  void denser_texts() {
    const ScoredText text = facts::stream(0, 10000, 4);
    QCOMPARE(text.tokens[255], std::int32_t{'\n'});
    const auto asked = static_cast<Index>(std::ranges::count(text.answers, true));
    QVERIFY(asked > 3200 && asked < 3470);  // 2 of 4 steps, of 1.5 characters
  }

  void best_bits_of_the_definition() {
    QVERIFY(std::abs(facts::bits_per_character(64) - 2.6042) < 1e-4);
    QVERIFY(std::abs(facts::bits_per_character(100000) - 2.4741) < 1e-4);
    QVERIFY(std::abs(facts::answer_bits(64) - 1.475) < 1e-3);
    QCOMPARE(facts::answer_bits(0), 3.0);
  }
};

VQSCOPE_TEST(FactsTest)
#include "facts_test.moc"
