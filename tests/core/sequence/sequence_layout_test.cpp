// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/sequence_layout.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct Tokens {
  std::vector<Index> positions;
  std::vector<Index> documents;
};

Tokens keys(const SequenceInput& input) {
  const auto layout = *SequenceLayout::make(input);
  Tokens tokens;
  for (Index kv = 0; kv < layout.kv_length(); ++kv) {
    tokens.positions.push_back(layout.kv_pos(kv));
    tokens.documents.push_back(layout.kv_document(kv));
  }
  return tokens;
}

std::vector<Index> query_positions(const SequenceInput& input) {
  const auto layout = *SequenceLayout::make(input);
  std::vector<Index> positions;
  for (Index q = 0; q < layout.q_length(); ++q) positions.push_back(layout.q_pos(q));
  return positions;
}

using Indices = std::vector<Index>;

}  // namespace

class SequenceLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void plain() {
    QCOMPARE(keys({.q_length = 4}).positions, (Indices{0, 1, 2, 3}));
    QCOMPARE(query_positions({.q_length = 3, .past_len = 17}), (Indices{17, 18, 19}));
    const auto layout = *SequenceLayout::make({.q_length = 3, .past_len = 17, .prefix_length = 5});
    QCOMPARE(layout.kv_length(), Index{20});
    QCOMPARE(layout.past_len(), Index{17});
    QCOMPARE(layout.prefix_length(), Index{5});
    QCOMPARE(layout.q_document(2), Index{0});
  }

  void left_padding_takes_no_positions() {
    const SequenceInput input{.q_length = 7, .padding_side = PaddingSide::left, .padding = 3};
    QCOMPARE(keys(input).positions, (Indices{0, 0, 0, 0, 1, 2, 3}));
    QCOMPARE(keys(input).documents, (Indices{-1, -1, -1, 0, 0, 0, 0}));
    QCOMPARE(query_positions(input), (Indices{0, 0, 0, 0, 1, 2, 3}));
    const auto layout = *SequenceLayout::make(input);
    QVERIFY(!layout.key_valid(2) && layout.key_valid(3) && !layout.q_valid(0) && layout.q_valid(6));
  }

  void right_padding() {
    const SequenceInput input{.q_length = 5, .padding_side = PaddingSide::right, .padding = 2};
    QCOMPARE(keys(input).positions, (Indices{0, 1, 2, 0, 0}));
    QCOMPARE(keys(input).documents, (Indices{0, 0, 0, -1, -1}));
  }

  void documents_restart_positions() {
    const SequenceInput input{.q_length = 8, .padding = 1, .document_lengths = {3, 1, 3}};
    QCOMPARE(keys(input).positions, (Indices{0, 1, 2, 0, 0, 1, 2, 0}));
    QCOMPARE(keys(input).documents, (Indices{0, 0, 0, 1, 2, 2, 2, -1}));
  }

  void queries_behind_a_cache_keep_their_document() {
    const SequenceInput input{.q_length = 3, .past_len = 4, .document_lengths = {2, 5}};
    QCOMPARE(query_positions(input), (Indices{2, 3, 4}));
    QCOMPARE(SequenceLayout::make(input)->q_document(0), Index{1});
  }

  void queries_of_their_own_sequence() {
    const SequenceInput input{
        .q_length = 9, .kv_length = 4, .past_len = 2, .padding = 1, .query_source = QuerySource::own};
    QCOMPARE(query_positions(input), (Indices{2, 3, 4, 5, 6, 7, 8, 9, 10}));
    QVERIFY(SequenceLayout::make(input)->q_valid(8));
  }

  void runs_cover_every_token_in_order() {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      SequenceInput input{.q_length = pick(random, 1, 20), .past_len = pick(random, 0, 9)};
      input.kv_length = input.q_length + input.past_len + pick(random, 0, 5);
      input.padding = pick(random, 0, input.kv_length - 1);
      if (input.kv_length - input.padding > 2) input.document_lengths = {1, input.kv_length - input.padding - 1};
      const auto layout = *SequenceLayout::make(input);
      for (const auto& [runs, length] :
           {std::pair(layout.q_runs(), layout.q_length()), std::pair(layout.kv_runs(), layout.kv_length())}) {
        Index next = 0;
        for (const auto& run : runs) {
          QCOMPARE(run.tokens.begin, next);
          QVERIFY(run.tokens.size() > 0);
          next = run.tokens.end;
        }
        QCOMPARE(next, length);
      }
      for (Index q = 0; q < layout.q_length(); ++q) {
        QCOMPARE(layout.q_pos(q), layout.kv_pos(input.past_len + q));
        QCOMPARE(layout.q_document(q), layout.kv_document(input.past_len + q));
      }
    }
  }

  void memory_does_not_grow_with_the_length() {
    const Index length = Index{1} << 31;
    const auto layout = *SequenceLayout::make({.q_length = length, .past_len = length});
    QCOMPARE(layout.kv_runs().size(), std::size_t{1});
    QCOMPARE(layout.q_pos(length - 1), 2 * length - 1);
  }

  void errors() {
    COMPARE_ERROR(SequenceLayout::make({.q_length = 4, .kv_length = 5, .past_len = 2}),
                  "kv_length is 5 but must be at least q_length + past_len = 6, or 0 to follow them");
    COMPARE_ERROR(SequenceLayout::make({.q_length = 4, .padding = 4}), "padding is 4 but must be below kv_length = 4");
    COMPARE_ERROR(SequenceLayout::make({.q_length = 9, .padding = 2, .document_lengths = {3, 3}}),
                  "document_lengths add up to 6 but must add up to 7 (kv_length 9 minus padding 2), or be empty for "
                  "one document");
  }

  /// A ring of 6 slots that holds positions 4 to 8, the newest two of which are queries.
  void slots_of_a_cache() {
    const auto base = *SequenceLayout::make({.q_length = 2, .kv_length = 6, .past_len = 4});
    const auto ring = *base.with_slots(Indices{6, 7, 8, -1, 4, 5});
    QVERIFY(ring.has_slots() && !base.has_slots());
    QCOMPARE(ring.past_len(), Index{3});
    QCOMPARE(ring.kv_pos(1), Index{7});
    QCOMPARE(ring.kv_pos(4), Index{4});
    QVERIFY(!ring.key_valid(3) && ring.key_valid(5));
    QCOMPARE(ring.q_pos(0), Index{7});
    QCOMPARE(ring.key_of(0), std::optional<Index>(1));
    QCOMPARE(ring.key_of(1), std::optional<Index>(2));
    QCOMPARE(base.key_of(1), std::optional<Index>(5));
    COMPARE_ERROR(base.with_slots(Indices{0, 1, -2, 2, 3, 4}), "slot 2 has position -2 but must be -1 or more");
    COMPARE_ERROR(base.with_slots(Indices{0, 1}), "2 slots are given but must be kv_length = 6");
  }

  /// A ring of 4 slots after a prefill of 6 tokens: the keys of positions 0 and 1 are overwritten.
  void more_queries_than_slots() {
    const auto own = *SequenceLayout::make({.q_length = 6, .kv_length = 4, .query_source = QuerySource::own});
    const auto ring = *own.with_slots(Indices{4, 5, 2, 3});
    QVERIFY(ring.query_source() == QuerySource::keys);
    QCOMPARE(ring.q_pos(0), Index{0});
    QCOMPARE(ring.q_pos(5), Index{5});
    QVERIFY(!ring.key_of(1));
    QCOMPARE(ring.key_of(2), std::optional<Index>(2));
    QCOMPARE(ring.key_of(5), std::optional<Index>(1));
    QCOMPARE(ring.past_len(), Index{0});
  }

  /// A buffer of 8 slots with 2 tokens and 3 queries: the first one is before the sequence.
  void a_query_before_the_first_token() {
    const auto base = *SequenceLayout::make({.q_length = 3, .kv_length = 8, .past_len = 5});
    const auto laid = *base.with_slots(Indices{0, 1, -1, -1, -1, -1, -1, -1});
    QCOMPARE(laid.q_pos(0), Index{-1});
    QVERIFY(laid.q_valid(0) && !laid.key_of(0));
    QCOMPARE(laid.key_of(2), std::optional<Index>(1));
    const auto empty = *base.with_slots(Indices{-1, -1, -1, -1, -1, -1, -1, -1});
    QCOMPARE(empty.q_pos(0), Index{0});
  }

  /// A drafter at position 100 reads slots 92 to 99; its own key is in none.
  void queries_after_the_slots() {
    const auto own =
        *SequenceLayout::make({.q_length = 1, .kv_length = 3, .past_len = 100, .query_source = QuerySource::own});
    const auto laid = *own.with_slots(Indices{99, 97, 98}, Index{100});
    QCOMPARE(laid.q_pos(0), Index{100});
    QVERIFY(!laid.key_of(0));
    QCOMPARE(laid.past_len(), Index{3});
    const auto cut = own.with_newest_keys();
    QCOMPARE(cut.kv_pos(0), Index{98});
    QCOMPARE(cut.key_of(0), std::optional<Index>(2));
    QCOMPARE(cut.past_len(), Index{2});
  }

  void values_become_an_input() {
    const auto specs = sequence_parameters(SequenceUse::positions, 64);
    auto values = default_values(specs);
    QVERIFY(check_values(specs, values));
    QCOMPARE(sequence_input(values).q_length, Index{64});
    QVERIFY(sequence_input(values).padding_side == PaddingSide::left);
    values.set("padding_side", std::string("right"));
    values.set("padding", Index{3});
    values.set("document_lengths", Indices{60, 1});
    const auto input = sequence_input(values);
    QVERIFY(input.padding_side == PaddingSide::right);
    QCOMPARE(input.padding, Index{3});
    QCOMPARE(input.document_lengths, (Indices{60, 1}));
    QCOMPARE(sequence_parameters(SequenceUse::lengths, 64).size(), std::size_t{3});
    QCOMPARE(sequence_input({}).q_length, Index{1});
  }
};

VQSCOPE_TEST(SequenceLayoutTest)
#include "sequence_layout_test.moc"
