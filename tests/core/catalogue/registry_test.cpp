// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/quick_settings.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTest>

#include <set>

using namespace vqscope;

class RegistryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ids_are_unique_and_found() {
    std::set<std::string> ids;
    for (const Method& method : methods()) {
      QVERIFY2(ids.insert(method.id).second, method.id.c_str());
      QCOMPARE(find_method(method.id), &method);
    }
    QVERIFY(!find_method("nothing"));
  }

  /// The names for which a form or a title does something else than for others.
  void what_is_shown_in_another_way() {
    std::set<std::string> always, never, masks, without_files;
    // What was measured: its data, seeds and steps.
    const std::set<std::string> measured{"data",        "clusters",   "task",  "seed",        "seed_count",
                                         "train_steps", "iterations", "steps", "model_steps", "most_seconds"};
    for (const Method& method : methods())
      for (const auto& spec : method.parameters) {
        const bool of_measurement =
            method.curves() && method.curves()->origin == CurveOrigin::measured && measured.contains(spec.name);
        if (of_measurement) QVERIFY2(spec.in_summary == InSummary::always, spec.name.c_str());
        if (spec.in_summary == InSummary::always && !of_measurement)
          always.insert(spec.name + " as " + spec.short_title());
        if (spec.in_summary == InSummary::never) never.insert(spec.name);
        if (spec.text_form == TextForm::mask) masks.insert(spec.name);
        if (is_number_list(spec.kind) && spec.file_filter.empty()) without_files.insert(spec.name);
        QVERIFY2(spec.text_form == TextForm::line || spec.kind == ParameterKind::text, spec.name.c_str());
      }
    QCOMPARE(always, (std::set<std::string>{"mask as mask", "q_length as T", "rope_type as rope_type"}));
    QCOMPARE(never, (std::set<std::string>{"future_keys", "mask", "mask_file", "mask_rows", "mask_text", "mask_values",
                                           "train_mask", "words"}));
    QCOMPARE(masks, (std::set<std::string>{"mask", "mask_text", "train_mask"}));
    QCOMPARE(without_files, std::set<std::string>{"mask_rows"});
  }

  /// Those whose files stand beside the clock, and no others.
  void what_reads_a_clock_says_so() {
    const QDir folder(test::sourcePath("core/experiment/measure"));
    int clocked = 0;
    for (const Method& method : methods()) {
      const bool beside = folder.exists(QString::fromStdString(method.id) + ".cpp");
      const auto* curves = method.curves();
      QVERIFY2(!beside || curves, method.id.c_str());
      if (curves) QVERIFY2(curves->clocked == beside, method.id.c_str());
      clocked += beside ? 1 : 0;
    }
    QVERIFY(clocked > 2);
  }

  void every_method_explains_itself() {
    for (const Method& method : methods()) {
      const char* id = method.id.c_str();
      QVERIFY2(!method.title.empty() && !method.category.empty() && !method.help.empty(), id);
      QVERIFY2(!method.citation.paper.empty() && !method.citation.reference.empty(), id);
      std::set<std::string> names;
      for (const auto& spec : method.parameters) {
        QVERIFY2(names.insert(spec.name).second, (method.id + " " + spec.name).c_str());
        QVERIFY2(!spec.help.empty() && !spec.group.empty(), (method.id + " " + spec.name).c_str());
        for (const auto& relevance : spec.relevant)
          QVERIFY2(find_spec(method.parameters, relevance.name), (method.id + " " + spec.name).c_str());
      }
      if (const auto* field = method.field())
        for (const auto& companion : field->companions) QVERIFY2(find_method(companion), companion.c_str());
    }
  }

  void every_run_names_what_it_takes_and_leaves() {
    int runs = 0;
    for (const Method& method : methods()) {
      const auto* run = method.run();
      if (!run) continue;
      ++runs;
      std::set<std::string> names;
      for (const auto& input : run->inputs) {
        QVERIFY2(!input.name.empty() && !input.help.empty(), method.id.c_str());
        QVERIFY2(names.insert(input.name).second && !find_spec(method.parameters, input.name), input.name.c_str());
      }
      for (const auto& output : run->outputs) QVERIFY2(!output.help.empty(), output.suffix.c_str());
      QVERIFY2(!run->outputs.empty() && run->make, method.id.c_str());
    }
    QVERIFY(runs > 0);
  }

  void every_method_works_with_its_defaults() {
    for (const Method& method : methods()) {
      auto values = default_values(method.parameters);
      test::make_quick(method, values);
      QVERIFY2(check_method_values(method, values), method.id.c_str());
      if (method.field()) QVERIFY2(make_field(method, values), method.id.c_str());
      if (method.curves()) QVERIFY2(make_curves(method, values), method.id.c_str());
    }
  }

  /// A file may hold any value under a name that another knows: nothing is taken for what it is not.
  void values_of_another_type_are_refused() {
    const ParameterValue strange[] = {Index{3},
                                      0.5,
                                      true,
                                      std::string("x"),
                                      std::vector<std::string>{"x"},
                                      std::vector<Index>{1, 2},
                                      std::vector<double>{1, 2}};
    for (const Method& method : methods())
      for (const auto& spec : method.parameters)
        for (const auto& value : strange) {
          auto values = default_values(method.parameters);
          values.set(spec.name, value);
          QVERIFY(!parameters_of(method, values).empty());
          if (value.index() == spec.fallback.index()) continue;
          const auto checked = check_method_values(method, values);
          QVERIFY2(!checked && checked.error().message.size() <= 400, (method.id + " " + spec.name).c_str());
        }
  }

  void an_unknown_id_names_the_nearest() {
    QCOMPARE(*require_method("t5_bucket"), find_method("t5_bucket"));
    COMPARE_ERROR(require_method("t5_bukcet"),
                  "unknown method t5_bukcet; did you mean t5_bucket? (vqscope list shows all)");
    QVERIFY(require_method("zzzzzzzzzz").error().code == Errc::not_found);
  }

  void making_checks_first() {
    const Method& method = *find_method("t5_bucket");
    auto values = default_values(method.parameters);
    values.set("num_buckets", Index{31});
    COMPARE_ERROR(make_field(method, values), "num_buckets is 31, must be even when bidirectional");
    values.set("num_buckets", Index{1});
    COMPARE_ERROR(make_field(method, values), "num_buckets is 1, must be an integer from 2 to 4096");
  }

  void values_are_carried_by_name_where_they_fit() {
    const Method& buckets = *find_method("t5_bucket");
    const Method& masks = *find_method("visibility");
    auto from = default_values(buckets.parameters);
    from.set("q_length", Index{77});
    const auto carried = carried_values(masks, from);
    QCOMPARE(carried.integer("q_length"), Index{77});
    COMPARE_TEXT(carried.choice("mask"), "causal");
    QVERIFY(check_values(masks.parameters, carried));

    from.set("q_length", Index{-5});
    QCOMPARE(carried_values(masks, from).integer("q_length"), Index{512});
  }
};

VQSCOPE_TEST(RegistryTest)
#include "registry_test.moc"
