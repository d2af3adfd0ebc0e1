// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/presets.h"

#include "core/mask/language/compile/program.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTest>

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr PresetFile example{"example",
                             "# my_mask: causal: and more\n"
                             "# Someone 2020, section 3\n"
                             "# objective: bidirectional\n"
                             "# terms: key_valid , causal\n"
                             "\n"
                             "width = 5  # keys\n"
                             "\n"
                             "def first(b, h, q_idx, kv_idx):\n"
                             "    inner = 3\n"
                             "    return kv_idx <= q_idx\n"
                             "\n"
                             "mask_mod = first\n"};

}  // namespace

class PresetFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_file_by_hand() {
    COMPARE_TEXT(example.id(), "my_mask");
    COMPARE_TEXT(example.help(), "causal: and more");
    COMPARE_TEXT(example.mask(), "mask_mod");
    COMPARE_TEXT(example.objective(), "bidirectional");
    QCOMPARE(example.terms().value(), (std::vector<std::string>{"key_valid", "causal"}));
  }

  void optional_lines_of_a_file() {
    const PresetFile plain{"plain", "# plain: all keys\ndef last(b, h, q_idx, kv_idx):\n    return q_idx >= 0\n"};
    COMPARE_TEXT(plain.mask(), "last");
    COMPARE_TEXT(plain.objective(), "");
    QVERIFY(!plain.terms());
    const PresetFile none{"none", "# none: all keys\n# terms: none\nmask = 1\n"};
    QVERIFY(none.terms() && none.terms()->empty());
    // A comment in the middle of a line has no effect.
    const PresetFile inside{"inside", "# inside: all keys\nmask = 1  # terms: causal\n  # objective: causal\n"};
    QVERIFY(!inside.terms());
    COMPARE_TEXT(inside.objective(), "");
  }

  /// The compiled-in files are those of the folder, by name.
  void list_agrees_with_the_folder() {
    const QDir folder(sourcePath(QStringLiteral("resources/masks")));
    QStringList names;
    for (const auto& file : preset_files()) {
      names += QString::fromUtf8(file.name.data(), static_cast<qsizetype>(file.name.size())) + QStringLiteral(".py");
      QFile source(folder.filePath(names.back()));
      QVERIFY2(source.open(QIODevice::ReadOnly), qPrintable(names.back()));
      COMPARE_TEXT(file.text, source.readAll().toStdString());
    }
    QCOMPARE(names, folder.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name));
  }

  void files_have_id_help_and_mask() {
    std::set<std::string_view> ids;
    for (const auto& file : preset_files()) {
      const std::string name(file.name);
      QVERIFY2(file.text.starts_with("# " + std::string(file.id()) + ": "), name.c_str());
      QVERIFY2(!file.help().empty() && file.help().find('\n') == std::string_view::npos, name.c_str());
      QVERIFY2(ids.insert(file.id()).second, name.c_str());
      const auto parsed = MaskProgram::parse(file.text, {.mask = std::string(file.mask())});
      QVERIFY2(parsed, name.c_str());
      COMPARE_TEXT(parsed.program->mask(), file.mask());
      QVERIFY2(parsed.program->warnings().empty(), name.c_str());
      const auto terms = file.terms().value_or(std::vector<std::string>{});
      for (const auto& term : terms)
        QVERIFY2(
            (std::set<std::string>{"key_valid", "same_document", "causal", "prefix", "sliding_window"}).contains(term),
            (name + ": " + term).c_str());
    }
  }
};

VQSCOPE_TEST(PresetFilesTest)
#include "preset_files_test.moc"
