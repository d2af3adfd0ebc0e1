// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey.h"

#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey_files.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/field.h"
#include "core/io/json/json_reader.h"
#include "core/method/value_json.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace vqscope;

namespace {

const SurveyView* find_view(const SurveyRow& row, std::string_view method) {
  const auto view = std::ranges::find_if(row.views, [&](const SurveyView& each) { return each.method->id == method; });
  return view == row.views.end() ? nullptr : &*view;
}

}  // namespace

class SurveyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_by_hand() {
    const SurveyRow* yarn = find_survey_row("yarn");
    QVERIFY(yarn);
    QCOMPARE(yarn->group, std::string("RoPE scalings"));
    QCOMPARE(yarn->method->id, std::string("rope_phase"));
    QCOMPARE(yarn->values.choice("rope_type"), std::string("yarn"));
    QVERIFY(yarn->traits.relative && yarn->traits.each_layer && !yarn->traits.trainable);
    const SurveyView* score = find_view(*yarn, "rope_score");
    QVERIFY(score);
    QCOMPARE(score->values.choice("rope_type"), std::string("yarn"));
    QCOMPARE(score->values.choices("compare"), std::vector<std::string>{"default"});
    QCOMPARE(find_survey_row("rope_phase")->title, std::string("RoPE"));
    QCOMPARE(find_survey_row("xpos_score")->title, std::string("xPos"));
    QVERIFY(!find_survey_row("nothing"));
    const SurveyRow* leaky = find_survey_row("leaky");
    QVERIFY(leaky);
    QCOMPARE(leaky->title, std::string("Leaky ReRoPE"));
    QCOMPARE(leaky->method->id, std::string("rerope_score"));
    QCOMPARE(leaky->values.choice("rerope_type"), std::string("leaky"));
    QCOMPARE(find_survey_row("rerope_score")->values.choice("rerope_type"), std::string("rerope"));
  }

  void views_by_hand() {
    const SurveyRow& alibi = *find_survey_row("alibi");
    QCOMPARE(alibi.views.front().title, std::string("Bias"));
    QCOMPARE(find_view(alibi, "bias_prior")->values.choices("biases"), std::vector<std::string>{"alibi"});
    QVERIFY(find_view(alibi, "receptive_window") && find_view(alibi, "published_perplexity"));
    QVERIFY(!find_view(alibi, "rope_score") && !find_view(alibi, "t5_bucket"));
    const SurveyRow& t5 = *find_survey_row("t5_bias");
    for (const char* id : {"t5_bucket", "t5_staircase", "t5_bucket_error", "t5_error_by_distance", "bias_prior"})
      QVERIFY2(find_view(t5, id), id);
    const SurveyRow& rope = *find_survey_row("rope_phase");
    for (const char* id : {"rope_cos", "rope_sin", "rope_score_field", "rope_phase_error", "rope_phase_ood",
                           "rope_wavelength", "attention_resolution", "pair_permutation"})
      QVERIFY2(find_view(rope, id), id);
    QCOMPARE(find_view(*find_survey_row("sinusoidal"), "attention_resolution")->values.choices("scores"),
             std::vector<std::string>{"sinusoidal_similarity"});
  }

  void every_scaling_is_a_row_with_the_views_of_rope() {
    const SurveyRow& rope = *find_survey_row("rope_phase");
    for (const RopeType& type : rope_types()) {
      if (type.id == "default") continue;
      const SurveyRow* row = find_survey_row(type.id);
      QVERIFY2(row, type.id.c_str());
      for (const SurveyView& view : rope.views)
        if (find_spec(view.method->parameters, "rope_type"))
          QCOMPARE(find_view(*row, view.method->id)->values.choice("rope_type"), type.id);
    }
  }

  /// A new method that shows an encoding must be found in the survey.
  void every_picture_of_an_encoding_is_a_view() {
    std::set<std::string> shown;
    for (const SurveyRow& row : survey_rows())
      for (const SurveyView& view : row.views) shown.insert(view.method->id);
    const std::set<std::string> categories{"buckets", "rotary", "curves", "biases", "scores", "tables", "precision"};
    for (const Method& method : methods())
      if (categories.contains(method.category)) QVERIFY2(shown.contains(method.id), method.id.c_str());
    for (const ViewTitle& titled : view_titles()) {
      QVERIFY2(find_method(titled.method), std::string(titled.method).c_str());
      for (const std::string_view id : titled.of) QVERIFY2(find_survey_row(id), std::string(id).c_str());
    }
  }

  void every_row_is_complete() {
    std::set<std::string> ids;
    for (const SurveyRow& row : survey_rows()) {
      const char* id = row.id.c_str();
      QVERIFY2(ids.insert(row.id).second, id);
      QVERIFY2(!row.title.empty() && !row.group.empty() && !row.citation.paper.empty(), id);
      for (const std::string& text : {row.traits.extrapolation, row.trade_off})
        QVERIFY2(text.size() > 20 && text.size() <= 300 && text.ends_with('.'), id);
      QCOMPARE(row.published.empty(), row.published_source.empty());
      std::set<std::string> titles, pictured;
      for (const SurveyView& view : row.views) {
        QVERIFY2(titles.insert(view.title).second && pictured.insert(view.method->id).second, id);
        const auto checked = check_method_values(*view.method, view_values(view));
        QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
      }
      QCOMPARE(row.views.front().method, row.method);
    }
  }

  /// A bias is relative if its cells are a function of the distance: NoPE has no position, FIRE the
  /// query's too.
  void relative_biases_are_functions_of_the_distance() {
    for (const SurveyRow& row : survey_rows()) {
      if (row.method->category != "biases" || !row.method->field()) continue;
      ParameterValues values = view_values(row.views.front());
      values.set("q_length", Index{600});
      const auto field = make_field(*row.method, values);
      QVERIFY2(field, row.id.c_str());
      bool same = true, changes = false;
      for (const Index distance : {0, 3, 40, 200})
        for (const Index q : {200, 301, 599}) {
          const double own = (*field)->at(q, q - distance), first = (*field)->at(200, 200 - distance);
          same = same && std::abs(own - first) <= 1e-6 * std::abs(first);
          changes = changes || own != (*field)->at(200, 200);
        }
      QVERIFY2(row.traits.relative == (same && changes), row.id.c_str());
    }
    QCOMPARE(trait_words(*find_survey_row("nope")), std::vector<std::string>{"no positions"});
    QCOMPARE(trait_words(*find_survey_row("fire")),
             (std::vector<std::string>{"relative and absolute", "trainable", "each layer"}));
    QCOMPARE(position_word(*find_survey_row("alibi")), std::string("relative"));
    // Dai et al. 2019 have distances in both terms of positions; Ruoss et al. 2023 sample the
    // positions of any encoding.
    QCOMPARE(position_word(*find_survey_row("transformer_xl_score")), std::string("relative"));
    const SurveyRow& sampled = *find_survey_row("randomized_positions");
    QVERIFY(!sampled.traits.relative);
    QCOMPARE(position_word(sampled), std::string("as its encoding, at sampled positions"));
    QCOMPARE(position_word(*find_survey_row("sinusoidal")), std::string("absolute"));
  }

  void published_perplexity_is_that_of_the_table() {
    QCOMPARE(find_survey_row("sinusoidal")->published,
             std::string("Perplexity 20.05 at 512, 43.54 at 1012 and 373.17 at 12512 tokens, trained at 512."));
  }

  void view_keeps_set_values() {
    ParameterValues from;
    from.set("rope_theta", 500000.0);
    from.set("rope_type", std::string("linear"));
    const ParameterValues values = view_values(*find_view(*find_survey_row("yarn"), "rope_cos"), from);
    QCOMPARE(values.real("rope_theta"), 500000.0);
    QCOMPARE(values.choice("rope_type"), std::string("yarn"));
  }

  void files() {
    const auto json = read_json(survey_json());
    QVERIFY(json);
    QCOMPARE(json->find("survey")->list()->size(), survey_rows().size());
    const std::string csv = survey_csv(), text = survey_text();
    QVERIFY(csv.starts_with("id,title,group,method,values,relative,trainable,each_layer,extrapolation,"));
    QVERIFY(csv.find("\nyarn,YaRN,RoPE scalings,rope_phase,rope_type=yarn,yes,no,yes,") != std::string::npos);
    for (const SurveyRow& row : survey_rows()) QVERIFY(text.find(row.title) != std::string::npos);
  }
};

VQSCOPE_TEST(SurveyTest)
#include "survey_test.moc"
