// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/presets.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/field/field.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/core/mask/preset/visibility.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <stdexcept>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Defaults, then name=value pairs as on the command line: the mask first, whose text may add
/// parameters.
ParameterValues with(std::string_view settings) {
  auto values = default_values(visibility().parameters);
  for (const auto setting : split(settings, ' ')) {
    const auto at = setting.find('=');
    const auto specs = parameters_of(visibility(), values);
    const auto* spec = find_spec(specs, setting.substr(0, at));
    if (!spec) throw std::invalid_argument(fmt::format("'{}' sets no parameter", setting));
    values.set(spec->name, *parse_value(*spec, setting.substr(at + 1)));
  }
  return completed_values(parameters_of(visibility(), values), values);
}

/// One line a row, ■ visible and ⬚ masked.
QString drawing(const Mask& mask) {
  QString picture;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    for (Index kv = 0; kv < mask.extent().cols; ++kv) picture += QString(mask.visible(q, kv) ? "■" : "⬚");
    picture += u'\n';
  }
  return picture;
}

/// The entries of masks.json; those of presets have a `preset`, its settings.
std::vector<QJsonObject> golden_masks() {
  QFile file(test::dataPath(QStringLiteral("masks.json")));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<QJsonObject> all;
  for (const auto& entry : QJsonDocument::fromJson(file.readAll()).array()) all.push_back(entry.toObject());
  return all;
}

/// The same of an entry, which draws # and dots.
QString drawing(const QJsonObject& golden) {
  QString picture;
  for (const auto& line : golden[u"visible"].toArray()) picture += line.toString() + u'\n';
  return picture.replace("#", "■").replace(".", "⬚");
}

std::shared_ptr<const Mask> preset(std::string_view settings) {
  auto mask = make_preset_mask(with(settings));
  return mask ? *mask : nullptr;
}

}  // namespace

class PresetsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void golden_masks_of_presets_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("wanted");
    for (const auto& entry : golden_masks())
      if (const QString settings = entry[u"preset"].toString(); !settings.isEmpty())
        QTest::newRow(qPrintable(entry[u"name"].toString())) << settings << drawing(entry);
  }

  void golden_masks_of_presets() {
    QFETCH(QString, settings);
    QFETCH(QString, wanted);
    const auto mask = preset(settings.toStdString());
    QVERIFY(mask);
    const QString got = drawing(*mask);
    QVERIFY2(got == wanted, qPrintable("got\n" + got + "wanted\n" + wanted));
    const auto as_text = make_preset_mask(preset_as_text(with(settings.toStdString())));
    QVERIFY2(as_text, as_text ? "" : as_text.error().message.c_str());
    QCOMPARE(drawing(**as_text), wanted);
  }

  void every_preset_has_a_golden_mask() {
    std::string settings;
    for (const auto& entry : golden_masks()) settings += entry[u"preset"].toString().toStdString() + " ";
    for (const auto& each : mask_presets())
      QVERIFY2(settings.find("mask=" + each.id + " ") != std::string::npos, each.id.c_str());
  }

  /// A picture of them at two million tokens is of all the cells, and is made of few intervals.
  void text_presets_are_solved() {
    for (const PresetFile& file : preset_files()) {
      const auto field = make_field(visibility(), with("mask=" + std::string(file.id()) + " q_length=2097152"));
      QVERIFY(field);
      Summary summary;
      const TileGrid grid{even_edges({0, 2097152}, 64), even_edges({0, 2097152}, 64)};
      QVERIFY2((*field)->summarize(grid, {}, summary) && summary.exact, std::string(file.id()).c_str());
    }
  }

  /// Each has the texts that a form shows.
  void preset_files_are_described() {
    QVERIFY(preset_files().size() >= 3);
    for (const PresetFile& file : preset_files()) {
      const std::string name(file.name);
      QVERIFY2(file.text.starts_with("# ") && file.id() == file.name && file.help().size() > 10, name.c_str());
      for (const auto& spec : mask_text_parameters(with("mask=" + name)))
        if (spec.name.starts_with("text."))
          QVERIFY2(spec.help.find("leaves free") == std::string::npos, spec.name.c_str());
    }
  }

  void every_preset_draws_by_default() {
    for (const auto& each : mask_presets()) {
      if (each.id == imported_mask_id) continue;  // it needs a file
      const auto field = make_field(visibility(), with("mask=" + each.id));
      QVERIFY2(field, each.id.c_str());
      QVERIFY2(!each.help.empty(), each.id.c_str());
      const auto wrong = summary_differs(**field, {{0, 100, 300, 512}, {0, 90, 200, 384}});
      QVERIFY2(wrong.empty(), (each.id + ": " + wrong).c_str());
    }
  }

  void automatic_values() {
    QCOMPARE(preset_sequence(with("mask=causal")).padding, Index{0});
    QCOMPARE(preset_sequence(with("mask=padding")).padding, Index{64});
    QCOMPARE(preset_sequence(with("mask=prefix_lm")).prefix_length, Index{128});
    QCOMPARE(preset_sequence(with("mask=packed q_length=10")).document_lengths, (std::vector<Index>{3, 3, 2, 2}));
    QCOMPARE(preset_sequence(with("mask=packed q_length=3")).document_lengths, (std::vector<Index>{1, 1, 1}));
    QCOMPARE(preset_sequence(with("mask=decode past_len=100")).kv_length, Index{612});
    const auto cross = preset_sequence(with("mask=cross past_len=9 document_lengths=5,5"));
    QCOMPARE(cross.kv_length, Index{384});
    QCOMPARE(cross.padding, Index{48});
    QCOMPARE(cross.past_len, Index{0});
    QVERIFY(cross.document_lengths.empty() && cross.query_source == QuerySource::own);
  }

  void terms_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("terms");
    const auto row = [](const char* settings, const char* terms) {
      QTest::newRow(settings) << QString(settings) << QString(terms);
    };
    row("mask=causal", "causal");
    row("mask=bidirectional", "");
    row("mask=bidirectional padding=3 sliding_window=9", "key_valid");
    row("mask=padding", "key_valid causal");
    row("mask=prefix_lm sliding_window=9", "prefix sliding_window");
    row("mask=packed padding=12", "key_valid same_document causal");
    row("mask=causal sliding_window=9 document_lengths=500,12", "same_document causal sliding_window");
    row("mask=sliding_window", "causal sliding_window");
    row("mask=decode", "causal");
    row("mask=cross document_lengths=1,2", "key_valid");
  }

  void terms() {
    QFETCH(QString, settings);
    QFETCH(QString, terms);
    const auto mask = preset(settings.toStdString());
    QVERIFY(mask);
    COMPARE_TEXT(join(mask->terms(), " "), terms.toStdString());
  }

  void a_decode_row_is_the_last_row_of_the_prefill() {
    for (const std::string rest : {"", " sliding_window=5", " padding=4", " padding=4 padding_side=right",
                                   " document_lengths=7,1,12", " padding=3 document_lengths=9,8 sliding_window=4"})
      for (const std::string layout : {"causal", "packed", "prefix_lm prefix_length=6", "sliding_window"}) {
        const auto prefill = preset("mask=" + layout + " q_length=20" + rest);
        const auto decode = preset("mask=" + layout + " q_length=1 past_len=19" + rest);
        QVERIFY2(prefill && decode, rest.c_str());
        QCOMPARE(drawing(*decode).trimmed(), drawing(*prefill).section(u'\n', 19, 19));
      }
  }

  void window_of_the_preset_is_128() {
    QVERIFY(preset("mask=sliding_window")->visible(400, 273));
    QVERIFY(!preset("mask=sliding_window")->visible(400, 272));
  }

  void form_hides_parameters_a_preset_does_not_use() {
    const auto hidden = [](const char* name, const char* settings) {
      return !is_relevant(*find_spec(visibility().parameters, name), with(settings));
    };
    QVERIFY(hidden("prefix_length", "mask=causal") && !hidden("prefix_length", "mask=prefix_lm"));
    QVERIFY(hidden("sliding_window", "mask=bidirectional") && hidden("sliding_window", "mask=cross"));
    QVERIFY(!hidden("sliding_window", "mask=packed") && !hidden("sliding_window", "mask=prefix_lm"));
    QVERIFY(hidden("document_lengths", "mask=cross") && hidden("past_len", "mask=cross"));
    QVERIFY(!hidden("document_lengths", "mask=decode") && !hidden("padding", "mask=cross"));
  }

  void errors_name_the_bad_value() {
    const auto refused = [](const char* settings) { return make_field(visibility(), with(settings)); };
    COMPARE_ERROR(refused("q_length=12 padding=12"), "padding is 12 but must be below kv_length = 12");
    COMPARE_ERROR(refused("mask=packed q_length=12 document_lengths=5,5"),
                  "document_lengths add up to 10 but must add up to 12 (kv_length 12 minus padding 0), or be empty for "
                  "one document");
    COMPARE_ERROR(refused("q_length=12 kv_length=11"),
                  "kv_length is 11 but must be at least q_length + past_len = 12, or 0 to follow them");
    std::string ids;
    for (const auto& each : mask_presets()) ids += each.id + ", ";
    COMPARE_ERROR(refused("mask=packd"),
                  "mask is packd but must be one of " + ids + "custom, dump; did you mean packed?");
    COMPARE_ERROR(refused("padding=-2"), "padding is -2 but must be an integer from -1 to 2147483648");
    QVERIFY(!check_method_values(visibility(), with("q_length=12 padding=12")));
  }

  void padding_on_the_right_sees_the_keys_before_it() {
    const auto mask = preset("mask=padding q_length=6 padding=2 padding_side=right");
    const QString wanted = "■⬚⬚⬚⬚⬚\n■■⬚⬚⬚⬚\n■■■⬚⬚⬚\n■■■■⬚⬚\n■■■■⬚⬚\n■■■■⬚⬚\n";
    QVERIFY2(drawing(*mask) == wanted, qPrintable(drawing(*mask)));
    QVERIFY(!first_empty_row(*mask));
  }

  void an_empty_batch_row_of_padding_shows() {
    const auto mask = preset("mask=padding q_length=12 padding=4");
    QCOMPARE(first_empty_row(*mask), std::optional<Index>(0));
    QCOMPARE(visible_count(*mask, {0, 12}), std::uint64_t{36});
  }
};

VQSCOPE_TEST(PresetsTest)
#include "presets_test.moc"
