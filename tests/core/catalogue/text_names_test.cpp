// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "core/mask/language/names/known_names.h"
#include "core/method/free_name.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

/// Visible cells of the text over 8 tokens, where its free name has that value; or -1, and -2 where
/// it has no such name.
int seen(const std::string& text, const std::string& name, ParameterValue value) {
  const Method& method = *find_method("visibility");
  ParameterValues values = default_values(method.parameters);
  values.set("mask", std::string("custom"));
  values.set("mask_text", text);
  values.set("q_length", Index{8});
  const auto specs = parameters_of(method, values);
  const ParameterSpec* meant = find_meant(specs, name, "visibility");
  if (!meant) return -2;
  values.set(meant->name, std::move(value));
  const auto field = make_field(method, completed_values(specs, values));
  if (!field) return -1;
  int count = 0;
  for (Index q = 0; q < 8; ++q)
    for (Index kv = 0; kv < 8; ++kv) count += (*field)->at(q, kv) != 0;
  return count;
}

}  // namespace

class TextNamesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Whatever a text calls its names: every parameter of every method, as a number and as an array.
  /// Names that the language itself has a meaning for are none of a text's own, such as
  /// position_ids.
  void parameter_names_do_not_clash_with_text_names() {
    for (const Method& method : methods())
      for (const ParameterSpec& spec : method.parameters) {
        if (std::ranges::count(language::known_variables(), spec.name) > 0) continue;
        QVERIFY2(seen("kv_idx < " + spec.name, spec.name, Index{3}) == 24, spec.name.c_str());
        QVERIFY2(seen("kv_idx < " + spec.name + "[b]", spec.name, std::vector<Index>{2}) == 16, spec.name.c_str());
      }
  }
};

VQSCOPE_TEST(TextNamesTest)
#include "text_names_test.moc"
