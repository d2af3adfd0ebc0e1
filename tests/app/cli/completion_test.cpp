// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool hasLab() { return left_out_remark().empty(); }

}  // namespace

/// Scripts for shells, the manual page and the words that every command takes.
class CompletionTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void every_command_has_options_for_completion() {
    for (const auto* command : allCommands())
      QVERIFY2(command->options || command->usage == command->name(), std::string(command->name()).c_str());
  }

  /// Reading all presets takes a fifth of a quick export.
  void presets_are_listed_for_completion_alone() {
    for (const auto* command : allCommands())
      for (const auto& line : command->options ? command->options() : std::vector<OptionLine>())
        if (line.name == "--preset")
          QVERIFY(line.choices.empty() && (line.listChoices().find("long_memories") != std::string::npos) == hasLab());
  }

  void scripts_name_commands_methods_and_parameters_data() {
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"bash", "zsh", "fish"}) QTest::newRow(shell) << QString(shell);
  }

  void scripts_name_commands_methods_and_parameters() {
    QFETCH(QString, shell);
    const auto script = runProgram(m_folder, {"completion", shell});
    QCOMPARE(script.status, 0);
    for (const auto* command : allCommands()) QVERIFY(script.out.contains(std::string(command->name()).c_str()));
    QVERIFY(script.out.contains(file_methods().front().id.c_str()));
    for (const auto& method : methods()) QVERIFY2(script.out.contains(method.id.c_str()), method.id.c_str());
    for (const char* word : {"num_buckets", "document_lengths", "sliding_window", "visible_true"})
      QVERIFY2(script.out.contains(word), word);
    QCOMPARE(script.out.contains("long_memories"), hasLab());
    if (QStandardPaths::findExecutable(shell).isEmpty()) return;
    QFile file(m_folder.filePath("script"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(script.out) > 0);
    file.close();
    QCOMPARE(QProcess::execute(shell, {"-n", file.fileName()}), 0);
  }

  void bash_completes_parameters_and_their_values_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    const auto add = [](const char* line, const char* words) {
      QTest::newRow(line) << QString(line) << QString(words);
    };
    add("vqscope ch", "check");
    add("vqscope export t5_buc", "t5_bucket t5_bucket_error");
    add("vqscope export t5_bucket --set num", "num_buckets=");
    add("vqscope export block_mask --set kv_b", "kv_block_size=");
    add("vqscope check --format s", "sarif");
    add("vqscope export visibility --set mask=pa", "packed padding");
    add("vqscope export visibility --set=mask=pa", "packed padding");
    add("vqscope check --objective caus", "causal causal_spans");
    add("vqscope check --set window_l", "window_left=");
    add("vqscope completion ", "bash zsh fish");
  }

  void bash_completes_parameters_and_their_values() {
    QFETCH(QString, line);
    QFETCH(QString, words);
    const auto script = runProgram(m_folder, {"completion", "bash"});
    QProcess bash;
    bash.start("bash", {"--norc", "-c",
                        QString::fromUtf8(script.out) +
                            "\ncompopt() { :; }\nCOMP_LINE=$1\nCOMP_POINT=${#1}\n_vqscope\necho \"${COMPREPLY[*]}\"",
                        "bash", line});
    QVERIFY(bash.waitForFinished(120'000));
    QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), words);
  }

  void refusals_data() {
    addRefusals({{{"completion"}, "completion needs a SHELL: bash, zsh or fish"},
                 {{"completion", "zhs"}, "SHELL is zhs but must be bash, zsh or fish; did you mean zsh?"},
                 {{"completion", "bash", "zsh"}, "completion takes one SHELL, bash and zsh were given"}});
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

  void manual_page_has_every_command_and_section() {
    const auto page = runProgram(m_folder, {"help", "--man"});
    QCOMPARE(page.status, 0);
    QVERIFY(page.out.startsWith(".TH VQSCOPE 1 "));
    for (const char* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXAMPLES", "\"EXIT STATUS\"", "ENVIRONMENT", "FILES"})
      QVERIFY2(page.out.contains("\n.SH " + QByteArray(section) + "\n"), section);
    for (const auto* command : allCommands())
      QVERIFY(page.out.contains(".SS \"vqscope " + QByteArray(std::string(command->name()).c_str())));
    QVERIFY(page.out.contains("\nvqscope check batch.pt\n"));
  }

  void quiet_commands_print_no_remarks() {
    writtenFile(m_folder, "four.py", "Q_LEN = 4\ndef mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n");
    const QStringList mask{"visibility", "--mask", "four.py", "--set", "q_length=8"};
    QStringList command = QStringList{"export"} + mask + QStringList{"--out", "a.csv"};
    QVERIFY(runProgram(m_folder, command).err.startsWith("vqscope: warning: q_length is 8, but"));
    QList<QStringList> quiet{QStringList{"-q"} + command, command + QStringList{"--quiet"}};
    if (makesFigures()) quiet << QStringList{"-q", "export", "alibi", "--panel", mask.join(' '), "--out", "a.svg"};
    for (const QStringList& arguments : quiet) {
      const auto outcome = runProgram(m_folder, arguments);
      QCOMPARE(outcome.status, 0);
      QCOMPARE(outcome.err, QByteArray());
    }
    compareRefused(runProgram(m_folder, {"-q", "export", "rope_phas", "--out", "a.csv"}),
                   "vqscope: unknown method rope_phas; did you mean rope_phase? (vqscope list shows all" +
                       QByteArray::fromStdString(std::string(left_out_remark())) + ")\n");
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(CompletionTest)
#include "completion_test.moc"
