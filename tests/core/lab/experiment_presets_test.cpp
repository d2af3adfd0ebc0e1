// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/experiment_presets.h"

#include "core/io/bytes/file_source.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTest>

using namespace vqscope;

namespace {

std::string preset_json(const std::string& change_from, const std::string& change_to) {
  std::string json =
      R"({"order": 1, "title": "T?", "experiment": "vq_model", "brief": "B.", "note": "N.", "source": "S", "parameters": {"seed_count": 2}})";
  const auto at = json.find(change_from);
  return json.replace(at, change_from.size(), change_to);
}

}  // namespace

class ExperimentPresetsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_file_is_a_preset() {
    const QDir folder(test::sourcePath("resources/experiments"));
    const auto files = folder.entryList({"*.json"}, QDir::Files, QDir::Name);
    QCOMPARE(static_cast<std::size_t>(files.size()), experiment_presets().size());
    for (const QString& file : files) {
      const auto text = read_text(folder.filePath(file).toStdString(), 1 << 16);
      QVERIFY(text);
      const auto preset = read_experiment_preset(file.chopped(5).toStdString(), *text);
      QVERIFY2(preset, preset ? "" : qPrintable(file + ": " + QString::fromStdString(preset.error().message)));
      QCOMPARE(require_experiment_preset(preset->id).value()->values, preset->values);
      QVERIFY2(preset->brief.ends_with('.') && preset->brief.size() <= 72, qPrintable(file));
      QVERIFY2(preset->title.size() <= 80 && preset->note.size() <= 600 && preset->note.ends_with('.'),
               qPrintable(file));
    }
  }

  /// With as little training as there is; those of table 10 are runs, which the command line's
  /// tests carry out.
  void each_runs() {
    int number = 0;
    for (const ExperimentPreset& preset : experiment_presets()) {
      if (!preset.experiment->curves() || !test::isTried(number++)) continue;
      ParameterValues values = preset.values;
      for (const auto& [name, least] : {std::pair{"train_steps", 1},
                                        {"seed_count", 1},
                                        {"finetune_steps", 0},
                                        {"n_code_min", 32},
                                        {"n_code_max", 32},
                                        {"steps", 1},
                                        {"length_max", 256},
                                        {"repeats", 1},
                                        {"longest_multiple", 2}})
        if (values.find(name)) values.set(name, Index{least});
      if (preset.values.find("finetune_steps") && preset.values.integer("finetune_steps") > 0)
        values.set("finetune_steps", Index{1});
      const auto curves = make_curves(*preset.experiment, values);
      QVERIFY2(curves, curves ? "" : (preset.id + ": " + curves.error().message).c_str());
      QVERIFY(!curves->curves.empty());
    }
  }

  /// The same question: it has the same experiment and asks for less.
  void a_quick_form_is_smaller() {
    for (const ExperimentPreset& preset : experiment_presets()) {
      if (!preset.quick) continue;
      const auto& work = preset.experiment->curves()->work;
      QVERIFY2(work && work(*preset.quick) < 0.5 * work(preset.values), preset.id.c_str());
      const auto chosen = require_preset_choice(preset.id + ":quick");
      QVERIFY(chosen && chosen->values() == *preset.quick);
      const auto of_values = preset_of(*preset.experiment, *preset.quick);
      QVERIFY(of_values && of_values->quick && of_values->preset == &preset);
      const auto whole = preset_of(*preset.experiment, preset.values);
      QVERIFY(whole && !whole->quick && whole->preset == &preset);
    }
    COMPARE_ERROR(require_preset_choice("rerope:quick"), "preset rerope has no quick form: leave out :quick");
  }

  /// Two seeds, so that the sentence has a band, and Transformer-XL's positions first.
  void vq_questions_have_a_quick_form_with_a_band() {
    for (const char* id : {"vq_encodings", "vq_cache_use", "vq_vault", "vq_codebook_size"}) {
      const ExperimentPreset& preset = *require_experiment_preset(id).value();
      QVERIFY2(preset.quick && preset.quick->integer("seed_count") == 2, id);
      QCOMPARE(preset.quick->choices("models").front(), std::string("vq_xl"));
    }
    const ExperimentPreset& cost = *require_experiment_preset("vq_cost").value();
    QVERIFY(cost.quick && cost.quick->integer("repeats") > 1);
  }

  void refused() {
    QVERIFY(read_experiment_preset("x", preset_json("T?", "T?")));
    const auto read = [](const char* from, const char* to) {
      return read_experiment_preset("x", preset_json(from, to));
    };
    COMPARE_ERROR(read("\"title\": \"T?\", ", ""), "title is missing but must be a text");
    COMPARE_ERROR(read("\"order\": 1, ", ""), "order is missing but must be an integer");
    COMPARE_ERROR(read("\"note\"", "\"notes\""), "unknown key notes");
    COMPARE_ERROR(read("\"brief\": \"B.\", ", ""), "brief is missing but must be a text");
    COMPARE_ERROR(read("\"parameters\"", "\"quick\": {\"seeds\": 1}, \"parameters\""),
                  "unknown parameter seeds of vq_model");
    COMPARE_ERROR(read("\"parameters\"", "\"quick\": 7, \"parameters\""), "quick is missing but must be an object");
    COMPARE_ERROR(read("seed_count", "seeds"), "unknown parameter seeds of vq_model");
    COMPARE_ERROR(read(": 2}", ": 99}"), "seed_count is 99 but must be an integer from 1 to 16");
    COMPARE_ERROR(read("vq_model", "vq_mode"),
                  "unknown method vq_mode; did you mean vq_model? (vqscope list shows all)");
    COMPARE_ERROR(require_experiment_preset("rope_scalin"),
                  "unknown preset rope_scalin; did you mean rope_scaling? (vqscope list --presets shows all)");
  }
};

VQSCOPE_TEST(ExperimentPresetsTest)
#include "experiment_presets_test.moc"
