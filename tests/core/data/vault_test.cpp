// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/vault.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace vqscope;

namespace {

std::string secrets_of(const ScoredText& text) {
  std::string secrets;
  for (std::size_t at = 0; at < text.tokens.size(); at += vault::document_length)
    secrets += static_cast<char>(text.tokens[at]);
  return secrets;
}

std::vector<Index> questions_of(const ScoredText& text) {
  std::vector<Index> places;
  for (std::size_t at = 0; at < text.tokens.size(); ++at)
    if (text.tokens[at] == '?') places.push_back(static_cast<Index>(at));
  return places;
}

/// Of the answers in whole documents, the fraction without an earlier mention within the context.
double counted_unknown(const ScoredText& text, Index context) {
  Index asked = 0, unknown = 0, last = 0;
  for (Index at = 0; at < std::ssize(text.tokens); ++at) {
    const auto i = static_cast<std::size_t>(at);
    if (text.answers[i]) ++asked, unknown += at - last > context;
    if (text.answers[i] || at % vault::document_length == 0) last = at;
  }
  return static_cast<double>(unknown) / static_cast<double>(asked);
}

}  // namespace

class VaultTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void secrets_and_questions_of_the_definition() {
    const std::pair<std::string, std::vector<Index>> expected[]{{"NL", {71, 201, 322, 459, 582, 719, 859, 979}},
                                                                {"CO", {64, 193, 344, 478, 607, 706, 852, 983}},
                                                                {"PM", {95, 207, 321, 468, 581, 712, 861, 982}}};
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const ScoredText text = vault::stream(seed, 1024);
      QCOMPARE(secrets_of(text), expected[seed].first);
      QCOMPARE(questions_of(text), expected[seed].second);
    }
  }

  /// Each part of a record is as much shorter.
  void shorter_records() {
    const ScoredText text = vault::stream(0, 64, 16);
    QCOMPARE(text.tokens[0], std::int32_t{'N'});
    QCOMPARE(text.tokens[15], std::int32_t{'p'});
    QCOMPARE(text.tokens[16], std::int32_t{'a'});
    for (const Index question : questions_of(text)) QVERIFY(question % 16 >= 8 && question % 16 < 12);
    QCOMPARE(questions_of(text).size(), std::size_t{4});
  }

  void answers_follow_their_questions() {
    const ScoredText text = vault::stream(0, 1000);
    QCOMPARE(text.tokens.size(), std::size_t{1000});
    for (std::size_t at = 1; at < text.tokens.size(); ++at)
      QCOMPARE(bool(text.answers[at]), text.tokens[at - 1] == '?');
    QVERIFY(!text.answers[0]);
    QCOMPARE(text.tokens[72], std::int32_t{'N'});
    QCOMPARE(text.tokens[127], std::int32_t{'p'});
    QCOMPARE(text.tokens[128], std::int32_t{'a'});
  }

  /// The same answers at every length, each the last target of its window.
  void windows_of_answers() {
    const ScoredText text = vault::stream(0, 4000);
    const PairedWindows windows{.windows = 3, .first_end = 600, .stride = 1000};
    for (const Index length : {Index{40}, Index{600}}) {
      const TokenBatch batch = answer_windows(windows, text, length).value();
      for (const Index row : {Index{1}, Index{2}, Index{3}}) {
        QCOMPARE(batch.tokens[static_cast<std::size_t>(row * length - 1)], std::int32_t{'?'});
        QVERIFY(batch.labels[static_cast<std::size_t>(row * length - 1)] >= 'A');
      }
      QCOMPARE(batch.labels.front(), ignored_label);
      QCOMPARE(batch.labels[static_cast<std::size_t>(length - 1)], std::int32_t{'L'});
    }
    COMPARE_ERROR(answer_windows(windows, text, 601), "the text has no answer from byte 600 with 601 bytes before it");
    COMPARE_ERROR(answer_windows(windows, vault::stream(0, 2630), 64),
                  "the text has no answer from byte 2600 with 64 bytes before it");
  }

  void best_bits_of_the_definition() {
    for (const Index context : {Index{1}, Index{64}}) QCOMPARE(vault::bits_per_character(context), 0.078125);
    QCOMPARE(vault::unknown_answers(96), 0.75);
    QCOMPARE(vault::unknown_answers(128), 0.75 * (1 - 33.0 / 64));
    for (const Index context : {Index{159}, Index{4096}}) QCOMPARE(vault::bits_per_character(context), 0.046875);
    QCOMPARE(vault::answer_bits(96), 3.0);
    const ScoredText text = vault::stream(3, 2000 * vault::document_length);
    for (const Index context : {Index{64}, Index{80}, Index{96}, Index{120}, Index{128}, Index{158}})
      QVERIFY(std::abs(counted_unknown(text, context) - vault::unknown_answers(context)) < 0.02);
  }
};

VQSCOPE_TEST(VaultTest)
#include "vault_test.moc"
