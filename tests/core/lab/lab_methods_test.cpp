// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of all methods of the catalogue, including those of the lab.
#include "core/catalogue/registry.h"
#include "core/method/curve_set.h"
#include "core/method/run_result.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTest>

#include <set>

using namespace vqscope;

class LabMethodsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The names for which a form or a title does something else than for others.
  void names_with_special_display() {
    std::set<std::string> always, never, masks, without_files;
    // Parameters of measurements: data, seeds and steps.
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

  /// Forms show labels, and the names that files and scripts have in their tooltips.
  void every_parameter_has_a_label() {
    std::set<std::string> bare;
    for (const Method& method : methods())
      for (const auto& spec : method.parameters)
        if (spec.name.size() > 1 && (spec.title() == spec.name || spec.title().find('_') != std::string::npos))
          bare.insert(spec.name);
    QCOMPARE(bare, std::set<std::string>());
  }

  /// Those whose files stand beside the clock, and no others.
  void experiments_that_read_a_clock_are_marked() {
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

  void every_run_names_inputs_and_outputs() {
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
};

VQSCOPE_TEST(LabMethodsTest)
#include "lab_methods_test.moc"
