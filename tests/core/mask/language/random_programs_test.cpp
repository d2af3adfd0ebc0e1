// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/mask/language/evaluators.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

MaskBindings random_bindings(Random& random, Index keys) {
  MaskBindings bindings{.mask_failing_cells = true};
  bindings.integers["window"] = pick(random, -2, 9);
  std::vector<Index> values;
  const Index length = pick(random, 0, 4) == 0 ? pick(random, 0, keys) : keys + 3;
  const Index kind = pick(random, 0, 2);
  for (Index i = 0; i < length; ++i)
    values.push_back(kind == 0 ? pick(random, -3, 9) : kind == 1 ? i / 3 : i - pick(random, 0, 1) * 2);
  bindings.arrays["values"] = std::move(values);
  if (pick(random, 0, 3) == 0) bindings.term_on = {pick(random, 0, 1) == 1, pick(random, 0, 1) == 1};
  return bindings;
}

/// The first cell for which some term has failed.
std::optional<std::pair<Index, Index>> first_error(const Mask& mask) {
  std::vector<Verdict> verdicts;
  const auto columns = mask.columns();
  for (Index q = 0; q < mask.extent().rows; ++q)
    for (Index kv = 0; kv < mask.extent().cols; ++kv) {
      mask.verdicts(q, kv, verdicts);
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (!columns[i].comparison && verdicts[i] == Verdict::error) return std::pair(q, kv);
    }
  return std::nullopt;
}

}  // namespace

class RandomProgramsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void evaluators_agree() { check_programs(false, countFrom("VQSCOPE_RANDOM_PROGRAMS", 2000)); }

  /// With numbers that sums, products and the solver's own borders leave 64 bits with.
  void evaluators_agree_about_large_numbers() { check_programs(true, countFrom("VQSCOPE_RANDOM_PROGRAMS", 2000) / 2); }

 private:
  /// VQSCOPE_RANDOM_PROGRAMS sets the number.
  static void check_programs(bool wide, int count) {
    const int seed = countFrom("VQSCOPE_RANDOM_SEED", 0);
    Random random(static_cast<unsigned>(seed) + 1);
    int with_bands = 0;
    int failing = 0;
    for (int i = 0; i < count; ++i) {
      const std::string text = ProgramWriter(random, wide).text();
      const auto parsed = MaskProgram::parse(text);
      QVERIFY2(parsed, (render(parsed.error, text) + "\n" + text).c_str());
      const auto layout = *SequenceLayout::make(random_input(random));
      MaskBindings bindings = random_bindings(random, layout.kv_length());
      const auto mask = LanguageMask::make(parsed.program, bindings, layout);
      QVERIFY2(mask.has_value(), text.c_str());
      const auto wrong = evaluators_differ(**mask);
      QVERIFY2(wrong.empty(), (wrong + "\n" + text).c_str());
      with_bands += (*mask)->has_bands();

      bindings.mask_failing_cells = false;
      const auto checked = LanguageMask::make(parsed.program, bindings, layout);
      const auto error = first_error(**mask);
      failing += error.has_value();
      QVERIFY2(checked.has_value() != error.has_value(), text.c_str());
      if (!error) continue;
      const std::string where = "(at q_idx " + to_text(error->first) + ", kv_idx " + to_text(error->second) + ")";
      QVERIFY2(checked.error().message.ends_with(where),
               (checked.error().message + "\n" + where + "\n" + text).c_str());
    }
    // The generator is of use as long as it reaches both sides of each.
    QVERIFY2(with_bands > count / 4 && with_bands < count, qPrintable(QString::number(with_bands)));
    QVERIFY2(failing > count / 10 && failing < count, qPrintable(QString::number(failing)));
  }
};

VQSCOPE_TEST(RandomProgramsTest)
#include "random_programs_test.moc"
