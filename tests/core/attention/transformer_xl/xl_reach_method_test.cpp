// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/methods.h"
#include "core/field/field.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& xl_method() {
  static const Method made = xl_reach_method();
  return made;
}

ParameterValues xl_values(const ParameterValues::Map& changes) {
  return default_values(xl_method().parameters, changes);
}

ParameterValues small_xl(const std::string& view) {
  return xl_values({{"view", view},
                    {"q_length", Index{8}},
                    {"segment_len", Index{2}},
                    {"memory_len", Index{2}},
                    {"layers", Index{2}},
                    {"clamp_len", Index{1}}});
}

std::vector<std::string> labels_of(const ParameterValues& values) {
  std::vector<std::string> labels;
  for (const auto& group : xl_method().field()->categories(values).groups) labels.push_back(group.label);
  return labels;
}

}  // namespace

class XlReachMethodTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void each_view_shows_its_cells() {
    const std::pair<const char*, double> first_key_of_row_3[] = {{"layer", 3}, {"reach", 1}, {"gradient", 2}};
    for (const auto& [view, value] : first_key_of_row_3) {
      const auto field = make_field(xl_method(), small_xl(view));
      QVERIFY2(field, field ? "" : field.error().message.c_str());
      QCOMPARE((*field)->extent(), (Extent{8, 8}));
      QCOMPARE((*field)->at(3, 0), value);
    }
  }

  /// Every value of a cell has a category, and the last of the categories can occur.
  void every_value_has_a_category() {
    for (const char* view : {"layer", "reach", "gradient"}) {
      const auto values = small_xl(view);
      const auto field = make_field(xl_method(), values);
      const auto count = static_cast<double>(xl_method().field()->categories(values).count);
      QCOMPARE((*field)->value_range(), (std::pair{0.0, count - 1}));
    }
    QCOMPARE(labels_of(small_xl("layer")), (std::vector<std::string>{"not seen", "own segment", "memory", "clamped"}));
    QCOMPARE(labels_of(xl_values({{"view", std::string("layer")}})).size(), std::size_t{3});
    QCOMPARE(labels_of(xl_values({})),
             (std::vector<std::string>{"not read", "1 layer", "3 layers", "6 layers", "9 layers"}));
    QCOMPARE(labels_of(small_xl("gradient")), (std::vector<std::string>{"not read", "learnt", "read only"}));
  }

  void automatic_positions_are_reported() {
    const auto used = xl_method().in_force(xl_values({}));
    QCOMPARE(used.integer("query"), Index{8191});
    QCOMPARE(used.integer("key"), Index{8192 - 13 * 512});
    QCOMPARE(xl_method().in_force(xl_values({{"segment_len", Index{9000}}})), ParameterValues());
  }

  void the_remark_describes_the_chosen_pair() {
    const auto values = xl_values({{"query", Index{1023}}, {"key", Index{0}}});
    COMPARE_TEXT(xl_method().remark(values, {}),
                 "query 1 023 reads key 0, 1 023 tokens back, from layer 1 of 12 on: layer 1 at 1 023 → input at 0; no "
                 "gradient of the query's loss reaches the key: stop-gradient is in between");
  }

  void no_remark_or_marks_without_a_chosen_pair() {
    COMPARE_TEXT(xl_method().remark(xl_values({}), {}), "");
    QVERIFY((*make_field(xl_method(), xl_values({})))->marks().empty());
    QCOMPARE((*make_field(xl_method(), xl_values({{"key", Index{0}}})))->marks().size(), std::size_t{2});
  }

  void bad_input_is_refused() {
    const auto refused = [](const std::string& name, Index value) {
      return check_method_values(xl_method(), xl_values({{name, value}}));
    };
    COMPARE_ERROR(refused("segment_len", 8193), "segment_len is 8193 but must be 1 to 8192, the number of tokens");
    COMPARE_ERROR(refused("segment_len", 0), "segment_len is 0 but must be an integer from 1 to 2147483648");
    COMPARE_ERROR(refused("query", 8192), "query is 8192 but must be an integer from -1 to 8191");
    COMPARE_ERROR(refused("key", 9000), "key is 9000 but must be an integer from -1 to 8191");
    COMPARE_ERROR(check_method_values(xl_method(), xl_values({{"same_length", true}, {"memory_len", Index{0}}})),
                  "memory_len is 0 but must be at least 1 with same_length: no query would see a key");
  }
};

VQSCOPE_TEST(XlReachMethodTest)
#include "xl_reach_method_test.moc"
