// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/query_layout.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

std::vector<std::string> names_of(const std::vector<ParameterSpec>& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs) names.push_back(spec.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

class QueryLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Methods that depend only on query positions need no number of keys.
  void parameters_are_those_of_a_sequence_without_kv_length() {
    QCOMPARE(names_of(query_parameters(SequenceUse::lengths, 64)), (Names{"q_length", "past_len"}));
    QCOMPARE(names_of(query_parameters(SequenceUse::positions, 64)),
             (Names{"q_length", "past_len", "padding", "padding_side", "document_lengths"}));
    QVERIFY(query_parameters(SequenceUse::lengths, 64).front().default_value == ParameterValue(Index{64}));
  }

  void queries_have_positions_of_their_own() {
    ParameterValues values = default_values(query_parameters(SequenceUse::lengths, 8));
    values.set("past_len", Index{100});
    const auto layout = *own_query_layout(values);
    QVERIFY(layout.query_source() == QuerySource::own);
    QCOMPARE(layout.q_length(), Index{8});
    QCOMPARE(layout.q_pos(0), Index{100});
    QCOMPARE(layout.q_pos(7), Index{107});
    QVERIFY2(!layout.key_of(0), "no key is the same token");
  }

  /// Few keys beside many queries are no mistake here, as they are in self-attention.
  void fewer_keys_than_queries() {
    ParameterValues values;
    values.set("q_length", Index{8});
    values.set("kv_length", Index{2});
    QCOMPARE(own_query_layout(values)->kv_length(), Index{2});
    COMPARE_ERROR(SequenceLayout::make(sequence_input(values)),
                  "kv_length is 2 but must be at least q_length + past_len = 8, or 0 to follow them");
  }

  void padding_must_leave_a_token() {
    ParameterValues values = default_values(query_parameters(SequenceUse::positions, 8));
    values.set("padding", Index{8});
    COMPARE_ERROR(own_query_layout(values), "padding is 8 but must be below kv_length = 8");
  }

  void lengths_in_force_follow_the_queries_where_none_is_given() {
    ParameterValues values;
    values.set("q_length", Index{8});
    values.set("past_len", Index{3});
    QCOMPARE(lengths_in_force(values).integer("kv_length"), Index{11});
    values.set("kv_length", Index{20});
    QCOMPARE(lengths_in_force(values).integer("kv_length"), Index{20});
  }
};

VQSCOPE_TEST(QueryLayoutTest)
#include "query_layout_test.moc"
