// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/value_json.h"
#include "core/io/json/json_reader.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

ParameterSpec spec_of(ParameterKind kind, ParameterValue default_value) {
  return {.name = "x",
          .kind = kind,
          .default_value = std::move(default_value),
          .minimum = -1e6,
          .maximum = 1e6,
          .choices = {{"a", {}}, {"b", {}}},
          .most_items = 4};
}

const ParameterSpec integer = spec_of(ParameterKind::integer, Index{0});
const ParameterSpec real = spec_of(ParameterKind::real, 0.0);
const ParameterSpec boolean = spec_of(ParameterKind::boolean, false);
const ParameterSpec choice = spec_of(ParameterKind::choice, std::string("a"));
const ParameterSpec choice_set = spec_of(ParameterKind::choice_set, std::vector<std::string>{});
const ParameterSpec integers = spec_of(ParameterKind::integer_list, std::vector<Index>{});
const ParameterSpec reals = spec_of(ParameterKind::real_list, std::vector<double>{});
const ParameterSpec tensor{.name = "x", .kind = ParameterKind::tensor, .default_value = std::string()};

/// The value in a text, however its lists are read; nothing where both readings differ.
Result<ParameterValue> read(const ParameterSpec& spec, const char* text) {
  const auto plain = read_value(spec, *read_json(text));
  const auto packed = read_value(spec, *read_json(text, {.packs_numbers = true}));
  if (plain.has_value() != packed.has_value() || (plain && *plain != *packed)) return invalid("readings differ");
  return packed;
}

std::string refused(const ParameterSpec& spec, const char* text) {
  const auto value = read(spec, text);
  return value ? "taken" : value.error().message;
}

}  // namespace

class ValueJsonTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void each_kind_of_value() {
    ParameterValues values;
    values.set("integer", Index{512});
    values.set("real", 0.5);
    values.set("boolean", true);
    values.set("text", std::string("ab"));
    values.set("choices", std::vector<std::string>{"a"});
    values.set("lengths", std::vector<Index>{3, 5});
    values.set("factors", std::vector<double>{});
    COMPARE_TEXT(indented_json(json_of(values)),
                 "{\n    \"boolean\": true,\n    \"choices\": [\n        \"a\"\n    ],\n    \"factors\": [\n    ],\n"
                 "    \"integer\": 512,\n    \"lengths\": [\n        3,\n        5\n    ],\n    \"real\": 0.5,\n"
                 "    \"text\": \"ab\"\n}\n");
  }

  void each_kind_is_read() {
    QVERIFY(*read(integer, "7") == ParameterValue(Index{7}));
    QVERIFY(*read(integer, "7.0") == ParameterValue(Index{7}));
    QVERIFY(*read(real, "7") == ParameterValue(7.0));
    QVERIFY(*read(boolean, "true") == ParameterValue(true));
    QVERIFY(*read(choice, "\"b\"") == ParameterValue(std::string("b")));
    QVERIFY(*read(choice_set, "[\"b\", \"a\"]") == ParameterValue(std::vector<std::string>{"b", "a"}));
    QVERIFY(*read(integers, "[3, 4.0]") == ParameterValue(std::vector<Index>{3, 4}));
    QVERIFY(*read(integers, "[]") == ParameterValue(std::vector<Index>{}));
    QVERIFY(*read(reals, "[3, 4]") == ParameterValue(std::vector<double>{3, 4}));
    QVERIFY(*read(reals, "[3, 4.5]") == ParameterValue(std::vector<double>{3, 4.5}));
    QVERIFY(*read(tensor, "\"k\\udcff.npy\"") == ParameterValue(std::string("k\xff.npy")));
  }

  void errors_name_the_given_and_the_valid_values() {
    COMPARE_TEXT(refused(integer, "\"four\""), "x is \"four\" but must be an integer from -1000000 to 1000000");
    COMPARE_TEXT(refused(integer, "4.5"), "x is 4.5 but must be an integer from -1000000 to 1000000");
    COMPARE_TEXT(refused(integer, "1e300"), "x is 1e+300 but must be an integer from -1000000 to 1000000");
    COMPARE_TEXT(refused(integer, "1000001"), "x is 1000001 but must be an integer from -1000000 to 1000000");
    COMPARE_TEXT(refused(real, "null"), "x is null but must be a number from -1000000 to 1000000");
    COMPARE_TEXT(refused(boolean, "1"), "x is 1 but must be true or false");
    COMPARE_TEXT(refused(choice, "{}"), "x is an object but must be one of a, b");
    COMPARE_TEXT(refused(choice, "\"c\""), "x is c but must be one of a, b; did you mean a?");
    COMPARE_TEXT(refused(choice_set, "[1]"), "x is a list of 1 item but must be a comma-separated list of a, b");
    COMPARE_TEXT(refused(integers, "[1, 2.5]"),
                 "x is a list of 2 items but must be a comma-separated list of integers from -1000000 to 1000000");
    COMPARE_TEXT(refused(reals, "[1, true]"),
                 "x is a list of 2 items but must be a comma-separated list of numbers from -1000000 to 1000000");
    COMPARE_TEXT(refused(integers, "[1, 2, 3, 4, 5]"), "x has 5 items, at most 4 are allowed");
    COMPARE_TEXT(refused(reals, "[2000000.5]"),
                 "x has the item 2000000.5, each must be a number from -1000000 to 1000000");
    COMPARE_TEXT(wrong_json("x", *read_json("false"), "a text").message, "x is false but must be a text");
  }

  /// Written values round-trip.
  void random_values_round_trip() {
    test::Random random(3);
    for (int i = 0; i < 2000; ++i) {
      const auto number = [&] { return static_cast<double>(test::pick(random, -1000000000, 1000000000)) / 1024; };
      std::vector<Index> whole(static_cast<std::size_t>(test::pick(random, 0, 4)));
      std::vector<double> parts(whole.size());
      for (auto& each : whole) each = test::pick(random, -1000000, 1000000);
      for (auto& each : parts) each = number();
      for (const auto& [spec, value] : {std::pair{&real, ParameterValue(number())},
                                        {&integers, ParameterValue(whole)},
                                        {&reals, ParameterValue(parts)},
                                        {&integer, ParameterValue(test::pick(random, -1000000, 1000000))}}) {
        const auto back = read(*spec, compact_json(json_of(value)).c_str());
        QVERIFY2(back && *back == value, compact_json(json_of(value)).c_str());
      }
    }
  }
};

VQSCOPE_TEST(ValueJsonTest)
#include "value_json_test.moc"
