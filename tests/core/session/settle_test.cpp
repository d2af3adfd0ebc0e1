// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/settle.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

const PageInfo& settled_page(const char* id) { return *find_page_info(id); }

GivenValue from(const ParameterValues& values) {
  return [values](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    const auto* value = values.find(spec.name);
    return value ? std::optional(*value) : std::nullopt;
  };
}

/// The settled values, and the notes.
std::pair<ParameterValues, Notes> settled(const char* id, const std::string& method, ParameterValues values) {
  Notes notes;
  settle_shown(settled_page(id), method, values, notes);
  return {std::move(values), std::move(notes)};
}

}  // namespace

class SettleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void missing_values_are_defaults() {
    for (const auto& info : page_infos()) {
      const auto state = default_page(info);
      ParameterValues expected = state.values;
      for (const auto& [name, value] : info.first.map())
        expected.set(name, find_spec(specs_of_page(info, {}, state.method), name)->default_value);
      QVERIFY2(values_from(from({}), info, state.method) == expected, info.id.c_str());
    }
  }

  /// Values that bring parameters along are followed, as far as it takes.
  void given_values_bring_others_along() {
    ParameterValues given;
    given.set("mask", std::string("custom"));
    given.set("mask_text", std::string("q_idx - kv_idx < w"));
    given.set("text.w", Index{7});
    given.set("nobody_asks", Index{1});
    const auto values = values_from(from(given), settled_page("masks"), "visibility");
    QCOMPARE(values.integer("text.w"), Index{7});
    QVERIFY(!values.find("nobody_asks"));
    given.set("mask", std::string("causal"));
    QVERIFY(!values_from(from(given), settled_page("masks"), "visibility").find("text.w"));
  }

  void invalid_values_are_replaced() {
    auto values = default_page(settled_page("buckets")).values;
    values.set("num_buckets", Index{33});
    values.set("q_length", Index{77});
    const auto [after, notes] = settled("buckets", "t5_bucket", values);
    QCOMPARE(after.integer("num_buckets"), Index{32});
    QCOMPARE(after.integer("q_length"), Index{77});
    QCOMPARE(notes.size(), std::size_t{1});
    COMPARE_TEXT(notes[0], "num_buckets is 33 but must be even when bidirectional; num_buckets is 32 now");
  }

  void valid_values_stay() {
    for (const auto& info : page_infos()) {
      const auto state = default_page(info);
      const auto [after, notes] = settled(info.id.c_str(), state.method, state.values);
      QVERIFY2(after == state.values && notes.empty(), info.id.c_str());
    }
  }

  /// Random values in their ranges: the result can be shown, and each replaced value is reported.
  void any_given_values_can_be_shown() {
    test::Random random(11);
    int taken_back = 0;
    for (const auto& info : page_infos())
      for (const auto& method : info.choices())
        for (int round = 0; round < 4; ++round) {
          auto values = default_page(info).values;
          for (const auto& spec : shown_parameters(method, values)) {
            const bool changes = test::pick(random, 0, 3) == 0;
            if (changes && spec.kind == ParameterKind::integer)
              values.set(spec.name, static_cast<Index>(test::pick(random, 0, 1) ? spec.minimum : spec.maximum));
            if (changes && spec.kind == ParameterKind::choice)
              values.set(
                  spec.name,
                  spec.choices[static_cast<std::size_t>(test::pick(random, 0, std::ssize(spec.choices) - 1))].id);
          }
          values = completed_values(specs_of_page(info, values, method), values);
          const bool held = check_shown(method, values).has_value();
          const auto [after, notes] = settled(info.id.c_str(), method, values);
          const auto checked = check_shown(method, after);
          QVERIFY2(checked, (method + ": " + (checked ? "" : checked.error().message)).c_str());
          QCOMPARE(notes.empty(), held);
          taken_back += static_cast<int>(notes.size());
        }
    QVERIFY(taken_back > 50);
  }
};

VQSCOPE_TEST(SettleTest)
#include "settle_test.moc"
