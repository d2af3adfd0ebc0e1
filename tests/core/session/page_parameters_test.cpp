// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/page_parameters.h"

#include "core/catalogue/registry.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

const PageInfo& info_of(const char* id) { return *find_page_info(id); }
ShownPage page(const char* id) { return default_page(info_of(id)); }

ShownPage with_text(const std::string& text) {
  ShownPage state = page("masks");
  state.values.set("mask", std::string("custom"));
  state.values.set("mask_text", text);
  return state;
}

}  // namespace

class PageParametersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void each_name_once_and_the_shown_first() {
    for (const auto& info : page_infos())
      for (const auto& method : info.choices()) {
        const auto values = default_page(info).values;
        const auto parameters = page_parameters(info, values, method);
        std::set<std::string> names;
        for (const auto& spec : parameters.specs) QVERIFY2(names.insert(spec.name).second, spec.name.c_str());
        const auto shown = shown_parameters(method, values);
        QVERIFY2(std::ranges::equal(parameters.of_shown(), shown), method.c_str());
        for (const auto& spec : find_method(method)->parameters) QVERIFY2(names.contains(spec.name), spec.name.c_str());
      }
  }

  /// Methods of one page may allow different values for a name: that of the one shown counts.
  void the_shown_method_decides() {
    const auto most = [](const char* method) {
      return find_spec(page_parameters(info_of("tables"), {}, method).specs, "d_model")->maximum;
    };
    QVERIFY(most("learned_absolute") > most("sinusoidal"));
  }

  void equal_sides_are_looked_up_once() {
    ShownPage state = with_text("q_idx - kv_idx < w");
    const auto different = page_sides(state);
    QVERIFY(different.values != different.other);
    QVERIFY(find_spec(different.values->specs, "text.w") && !find_spec(different.other->specs, "text.w"));
    state.other = state.values;
    const auto same = page_sides(state);
    QCOMPARE(same.values, same.other);
  }

  void shown_values_are_checked() {
    auto values = page("buckets").values;
    QVERIFY(check_shown("t5_bucket", values));
    values.set("num_buckets", Index{33});
    COMPARE_ERROR(check_shown("t5_bucket", values), "num_buckets is 33 but must be even when bidirectional");
  }

  /// With the parameters at hand and without: the same answer.
  void checks_agree() {
    for (const auto& info : page_infos()) {
      ShownPage state = default_page(info);
      QVERIFY2(check_page(state) && check_page(state, page_sides(state)), info.id.c_str());
      const ParameterValues defaults = state.values;
      for (const auto& [name, value] : defaults.map()) {
        if (!std::holds_alternative<Index>(value)) continue;
        state.values.set(name, Index{-1} << 40);
        const auto slow = check_page(state);
        const auto fast = check_page(state, page_sides(state));
        QCOMPARE(fast.has_value(), slow.has_value());
        if (!slow) COMPARE_TEXT(fast.error().message, slow.error().message);
        state.values.set(name, value);
      }
    }
  }
};

VQSCOPE_TEST(PageParametersTest)
#include "page_parameters_test.moc"
