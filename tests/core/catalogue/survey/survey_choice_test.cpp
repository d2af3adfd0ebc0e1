// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey_choice.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class SurveyChoiceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Scalings and ReRoPE change a trained model; the rest is chosen before its training.
  void questions() {
    for (const char* id : {"yarn", "linear", "dynamic", "longrope", "leaky"})
      QVERIFY2(question_of(*find_survey_row(id)) == SurveyQuestion::extend, id);
    for (const char* id : {"alibi", "t5_bias", "rope_phase", "nope", "sinusoidal"})
      QVERIFY2(question_of(*find_survey_row(id)) == SurveyQuestion::train, id);
    COMPARE_TEXT(question_title(SurveyQuestion::extend), "I extend a model");
  }

  void words() {
    const SurveyRow& alibi = *find_survey_row("alibi");
    QVERIFY(has_words(alibi, ""));
    QVERIFY(has_words(alibi, "  ALIBI  relative"));
    QVERIFY(has_words(alibi, "press"));
    QVERIFY(!has_words(alibi, "alibi rotary"));
    const auto found =
        std::ranges::count_if(survey_rows(), [](const SurveyRow& row) { return has_words(row, "yarn"); });
    QVERIFY(found >= 1 && found < std::ssize(survey_rows()));
  }

  void two_rows_side_by_side() {
    const auto facts = compared_rows(*find_survey_row("alibi"), *find_survey_row("yarn"));
    QVERIFY(facts.size() >= 6);
    COMPARE_TEXT(facts[0].name, "Question");
    COMPARE_TEXT(facts[0].a, "I train anew");
    COMPARE_TEXT(facts[0].b, "I extend a model");
    QVERIFY(facts[0].differs());
    for (const auto& fact : facts) QVERIFY2(!fact.a.empty() || !fact.b.empty(), fact.name.c_str());
    for (const auto& fact : compared_rows(*find_survey_row("nope"), *find_survey_row("nope")))
      QVERIFY2(!fact.differs(), fact.name.c_str());
  }
};

VQSCOPE_TEST(SurveyChoiceTest)
#include "survey_choice_test.moc"
