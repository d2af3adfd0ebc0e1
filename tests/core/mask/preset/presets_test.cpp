// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/presets.h"

#include "core/base/text.h"
#include "core/field/field.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_mask.h"
#include "core/mask/preset/preset_files.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <functional>
#include <map>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& visibility() { return *find_method(mask_methods(), "visibility"); }

using IntegerMap = std::map<std::string, Index>;
using CellRule = std::function<bool(Index q, Index kv)>;

/// Defaults, then name=value pairs as on the command line.
ParameterValues with(std::string_view settings) {
  auto values = default_values(visibility().parameters);
  for (const auto setting : split(settings, ' ')) {
    const auto at = setting.find('=');
    const auto* spec = find_spec(visibility().parameters, setting.substr(0, at));
    values.set(spec->name, *parse_value(*spec, setting.substr(at + 1)));
  }
  return completed_values(parameters_of(visibility(), values), values);
}

/// One line a row, ■ visible and ⬚ masked.
QString drawn(const Mask& mask) {
  QString picture;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    for (Index kv = 0; kv < mask.extent().cols; ++kv) picture += QString(mask.visible(q, kv) ? "■" : "⬚");
    picture += u'\n';
  }
  return picture;
}

/// The same of a golden mask, which draws # and dots.
QString golden(const QString& name) {
  QFile file(test::dataPath(QStringLiteral("masks.json")));
  if (!file.open(QIODevice::ReadOnly)) return {};
  for (const auto& entry : QJsonDocument::fromJson(file.readAll()).array()) {
    if (entry.toObject()[u"name"].toString() != name) continue;
    QString picture;
    for (const auto& line : entry.toObject()[u"visible"].toArray()) picture += line.toString() + u'\n';
    return picture.replace("#", "■").replace(".", "⬚");
  }
  return {};
}

std::shared_ptr<const Mask> preset(std::string_view settings) {
  auto mask = make_preset_mask(with(settings));
  return mask ? *mask : nullptr;
}

}  // namespace

class PresetsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void golden_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("settings");
    const auto row = [](const char* name, const char* settings) {
      QTest::newRow(name) << QString(name) << QString(settings);
    };
    row("causal", "mask=causal q_length=16");
    row("bidirectional", "mask=bidirectional q_length=7 kv_length=9");
    row("sliding_window_hf", "mask=sliding_window q_length=40 sliding_window=8");
    row("sliding_window_gym", "mask=causal q_length=33 sliding_window=9");
    row("prefix_lm", "mask=prefix_lm q_length=24 prefix_length=7");
    row("packed_causal", "mask=packed q_length=11 document_lengths=3,2,6");
    row("left_padding", "mask=padding q_length=12 padding=4 padding_side=left");
    row("cached_decode", "mask=decode q_length=3 past_len=17");
  }

  void golden() {
    QFETCH(QString, name);
    QFETCH(QString, settings);
    const auto mask = preset(settings.toStdString());
    QVERIFY(mask);
    const QString got = drawn(*mask);
    const QString wanted = ::golden(name);
    QVERIFY(!wanted.isEmpty());
    QVERIFY2(got == wanted, qPrintable("got\n" + got + "wanted\n" + wanted));
  }

  /// What the presets that are texts mean, written a second time.
  void text_presets_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<IntegerMap>("integers");
    QTest::addColumn<CellRule>("visible");
    const auto row = [](const char* id, const IntegerMap& integers, const CellRule& visible) {
      QTest::newRow(id) << QString(id) << integers << visible;
    };
    row("dilated", {{"window", 9}, {"dilation", 3}},
        [](Index q, Index kv) { return kv == q || kv == q - 3 || kv == q - 6; });
    row("longformer", {{"attention_window", 6}, {"global_tokens", 2}},
        [](Index q, Index kv) { return q < 2 || kv < 2 || (kv >= q - 3 && kv <= q + 3); });
    // The neighbourhood of 3 by 3 pixels around a pixel of an 8 by 6 image that has its own inside the image.
    row("natten", {{"width", 8}, {"kernel_size", 3}}, [](Index q, Index kv) {
      const Index x = std::clamp<Index>(q % 8, 1, 6), y = std::clamp<Index>(q / 8, 1, 4);
      return std::abs(kv % 8 - x) <= 1 && std::abs(kv / 8 - y) <= 1;
    });
  }

  void text_presets() {
    QFETCH(QString, id);
    QFETCH(IntegerMap, integers);
    QFETCH(CellRule, visible);
    auto values = with("mask=" + id.toStdString() + " q_length=48");
    for (const auto& [name, value] : integers) values.set(free_name_key(name), value);
    const auto mask = make_preset_mask(values);
    QVERIFY2(mask, mask ? "" : mask.error().message.c_str());
    const auto as_text = make_preset_mask(preset_as_text(values));
    QVERIFY(as_text);
    for (Index q = 0; q < 48; ++q)
      for (Index kv = 0; kv < 48; ++kv) {
        QCOMPARE((*mask)->visible(q, kv), visible(q, kv));
        QCOMPARE((*as_text)->visible(q, kv), visible(q, kv));
        QCOMPARE((*mask)->why(q, kv).starts_with("visible"), visible(q, kv));
      }
  }

  /// A picture of them at two million tokens is of all the cells, and is made of few intervals.
  void text_presets_are_solved() {
    for (const PresetFile& file : preset_files()) {
      const auto field = make_field(visibility(), with("mask=" + std::string(file.id()) + " q_length=2097152"));
      QVERIFY(field);
      Summary summary;
      const Lattice lattice{even_edges({0, 2097152}, 64), even_edges({0, 2097152}, 64)};
      QVERIFY2((*field)->summarize(lattice, {}, summary) && summary.exact, std::string(file.id()).c_str());
    }
  }

  /// Each says of itself what a form shows.
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
        QCOMPARE(drawn(*decode).trimmed(), drawn(*prefill).section(u'\n', 19, 19));
      }
  }

  void window_of_the_preset_is_128() {
    QVERIFY(preset("mask=sliding_window")->visible(400, 273));
    QVERIFY(!preset("mask=sliding_window")->visible(400, 272));
  }

  void forms_hide_what_a_preset_does_not_use() {
    const auto hidden = [](const char* name, const char* settings) {
      return !is_relevant(*find_spec(visibility().parameters, name), with(settings));
    };
    QVERIFY(hidden("prefix_length", "mask=causal") && !hidden("prefix_length", "mask=prefix_lm"));
    QVERIFY(hidden("sliding_window", "mask=bidirectional") && hidden("sliding_window", "mask=cross"));
    QVERIFY(!hidden("sliding_window", "mask=packed") && !hidden("sliding_window", "mask=prefix_lm"));
    QVERIFY(hidden("document_lengths", "mask=cross") && hidden("past_len", "mask=cross"));
    QVERIFY(!hidden("document_lengths", "mask=decode") && !hidden("padding", "mask=cross"));
  }

  void errors_name_what_is_wrong() {
    const auto refused = [](const char* settings) { return make_field(visibility(), with(settings)); };
    COMPARE_ERROR(refused("q_length=12 padding=12"), "padding is 12, must be below kv_length = 12");
    COMPARE_ERROR(refused("mask=packed q_length=12 document_lengths=5,5"),
                  "document_lengths add up to 10, must add up to 12 (kv_length 12 minus padding 0)");
    COMPARE_ERROR(refused("q_length=12 kv_length=11"),
                  "kv_length is 11, must be at least q_length + past_len = 12, or 0 to follow them");
    COMPARE_ERROR(refused("mask=packd"),
                  "mask is packd, must be one of causal, bidirectional, padding, prefix_lm, packed, sliding_window, "
                  "decode, cross, dilated, longformer, natten, custom, dump; did you mean packed?");
    COMPARE_ERROR(refused("padding=-2"), "padding is -2, must be an integer from -1 to 2147483648");
    QVERIFY(!check_method_values(visibility(), with("q_length=12 padding=12")));
  }

  void padding_on_the_right_sees_the_keys_before_it() {
    const auto mask = preset("mask=padding q_length=6 padding=2 padding_side=right");
    const QString wanted = "■⬚⬚⬚⬚⬚\n■■⬚⬚⬚⬚\n■■■⬚⬚⬚\n■■■■⬚⬚\n■■■■⬚⬚\n■■■■⬚⬚\n";
    QVERIFY2(drawn(*mask) == wanted, qPrintable(drawn(*mask)));
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
