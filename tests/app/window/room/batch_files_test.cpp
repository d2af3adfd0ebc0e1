// SPDX-License-Identifier: GPL-3.0-or-later
// Files of several samples in the window.
#include "app/window/main_window.h"
#include "core/session/session_json.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/mask/source/sample_strip.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/message_bar.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// attention_mask [[1,1,1,1],[1,1,0,0],[0,1,1,1]] of three samples.
QByteArray attentionMask() {
  return QByteArray::fromStdString(npy_array("|u1", {3, 4}, std::string("\1\1\1\1\1\1\0\0\0\1\1\1", 12)));
}

/// The same with labels, of which the second sample has one at padding.
QByteArray collatorBatch() {
  const std::string header = R"({"attention_mask":{"dtype":"U8","shape":[3,4],"data_offsets":[0,12]},)"
                             R"("labels":{"dtype":"I8","shape":[3,4],"data_offsets":[12,24]}})";
  return QByteArray::fromStdString(
      safetensors_file(header, std::string("\1\1\1\1\1\1\0\0\0\1\1\1\1\2\3\4\1\2\3\x9c\x9c\2\3\4", 24)));
}

struct BatchWindow {
  MainWindow window;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
    QCoreApplication::processEvents();
  }
  void open(const QString& path) {
    window.show();
    window.openFile(path);
    settle();
  }
  QString message() { return window.findChild<MessageBar*>()->sentence(); }
  Workbench& bench() { return window.workbench(); }
  const ShownPage& page() { return window.workbench().page("masks"); }
  Index padding() { return page().values.integer("padding"); }
  QAction* action(const QString& title) {
    for (auto* each : window.findChildren<QAction*>())
      if (each->text() == title) return each;
    return nullptr;
  }
  template <class T>
  T* part(const char* name = nullptr) {
    return window.findChild<T*>(name ? QString::fromLatin1(name) : QString());
  }
};

}  // namespace

class BatchFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void an_attention_mask_is_read_as_on_the_command_line() {
    const QTemporaryDir folder;
    BatchWindow s;
    s.open(writtenFile(folder, QStringLiteral("m.npy"), attentionMask()));
    QCOMPARE(s.message(), QString("m.npy [3, 4] is read as the attention_mask of 3 samples of 4 tokens, 1 for a real "
                                  "token; “read as” can make it a mask of 3 queries"));
    QCOMPARE(s.page().values.integer("q_length"), Index{4});
    QCOMPARE(s.padding(), Index{0});
    QVERIFY(s.part<SampleStrip>("sampleStrip")->isVisible());
    s.part<QSpinBox>("batch")->setValue(1);
    s.settle();
    QCOMPARE(s.padding(), Index{2});
    s.bench().undo();
    s.settle();
    QCOMPARE(s.padding(), Index{0});
    QCOMPARE(s.part<QSpinBox>("batch")->value(), 0);
    QVERIFY2(s.part<SampleStrip>("sampleStrip")->isVisible(), "the file is still the one that is shown");
    emit s.part<QComboBox>("readAs")->activated(1);
    s.settle();
    QCOMPARE(s.page().values.choice("mask"), std::string("dump"));
    QCOMPARE(s.page().values.integer("q_length"), Index{3});
    emit s.part<QComboBox>("readAs")->activated(0);
    s.settle();
    QCOMPARE(s.page().values.integer("q_length"), Index{4});
  }

  /// Lists of the chosen sample are those of the expected mask; findings of all stand in the checks.
  void a_batch_file_is_whole() {
    const QTemporaryDir folder;
    BatchWindow s;
    s.open(writtenFile(folder, QStringLiteral("b.safetensors"), collatorBatch()));
    QCOMPARE(s.message(), QString("b.safetensors: took attention_mask, labels, of 3 samples"));
    QCOMPARE(s.page().lint.integers("labels"), (std::vector<Index>{1, 2, 3, 4}));
    QVERIFY(s.part<QComboBox>("readAs")->isHidden());
    for (auto* button : s.part<LintPanel>()->findChildren<QToolButton*>())
      if (button->toolTip() == "Copy the command that runs this check") button->click();
    QCOMPARE(QApplication::clipboard()->text(), "vqscope check --batch-file " + folder.filePath("b.safetensors"));
    s.action("&Copy command line")->trigger();
    QCOMPARE(QApplication::clipboard()->text(), "vqscope export visibility --batch-file " +
                                                    folder.filePath("b.safetensors") +
                                                    " --batch 0 --out visibility.png");
    auto* checks = s.part<LintPanel>();
    FindingRow* other = nullptr;
    for (auto* row : checks->findChildren<FindingRow*>())
      if (row->accessibleName().contains(QLatin1String("Sample 1"))) other = row;
    QVERIFY(other);
    emit other->placePicked();
    s.settle();
    QCOMPARE(s.padding(), Index{2});
    QCOMPARE(s.page().lint.integers("labels"), (std::vector<Index>{1, 2, 3, -100}));
    QCOMPARE(s.page().batch.sample, Index{1});
  }

  /// F9 finds the later key of the second of three samples, selects it, and then says that it is the
  /// only one.
  void a_broken_row_is_found_in_another_sample() {
    const QTemporaryDir folder;
    BatchWindow s;
    const std::string cells("\1\0\0\1\1\0\1\1\1\1\0\1\1\1\0\1\1\1\1\0\0\1\1\0\1\1\1", 27);
    s.open(writtenFile(folder, QStringLiteral("m.npy"), QByteArray::fromStdString(npy_array("|b1", {3, 3, 3}, cells))));
    QVERIFY(!s.action("Next head")->isEnabled());
    s.action("Next row that breaks a rule")->trigger();
    s.settle();
    QTRY_COMPARE(s.page().batch.sample, Index{1});
    QTRY_COMPARE(s.window.rowDebugger()->cell(), (Cell{0, 2}));
    QCOMPARE(s.message(), QString("Sample 1, row 0 breaks: Future visible"));
    s.settle();
    s.action("Next row that breaks a rule")->trigger();
    s.settle();
    QCOMPARE(s.message(), QString("Row 0 is the only row that breaks: Future visible"));
    for (const auto& [action, sample, said] :
         {std::tuple{"Next sample", 2, "Sample 2 of 3"},
          std::tuple{"Next sample", 0, "Sample 0 of 3, from the first again"},
          std::tuple{"Previous sample", 2, "Sample 2 of 3, from the last again"}}) {
      s.action(action)->trigger();
      s.settle();
      QCOMPARE(s.page().batch.sample, Index{sample});
      QCOMPARE(s.message(), QString(said));
    }
  }

  void the_choice_is_kept_with_the_session() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, QStringLiteral("m.npy"), attentionMask());
    std::string kept;
    {
      BatchWindow s;
      s.open(path);
      s.part<QSpinBox>("batch")->setValue(2);
      s.settle();
      kept = session_text(s.bench().session());
    }
    const auto session = parse_session(kept);
    QVERIFY(session && session->notes.empty());
    BatchWindow s;
    s.window.show();
    s.bench().setSession(session->session);
    s.settle();
    QCOMPARE(s.part<QSpinBox>("batch")->value(), 2);
    QVERIFY(s.part<SampleStrip>("sampleStrip")->isVisible());
    QCOMPARE(s.padding(), Index{1});
    QVERIFY2(s.bench().undoStack().count() == 0, "opening a session is no edit");
  }

  void a_choice_that_no_longer_fits_is_refused() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, QStringLiteral("m.npy"), attentionMask());
    BatchWindow first;
    first.open(path);
    const Session kept = first.bench().session();
    writtenFile(folder, QStringLiteral("m.npy"),
                QByteArray::fromStdString(npy_array("|u1", {2, 4}, std::string("\1\1\1\1\1\0\0\0", 8))));
    BatchWindow changed;
    changed.window.show();
    changed.bench().setSession(kept);
    changed.settle();
    QCOMPARE(changed.message(),
             QString("m.npy has changed since its sample was chosen; the mask stays as it was saved"));
    QCOMPARE(changed.page().values.integer("q_length"), Index{4});
    QVERIFY(!changed.part<SampleStrip>("sampleStrip")->isVisible());
    QVERIFY(QFile::remove(path));
    BatchWindow gone;
    gone.window.show();
    gone.bench().setSession(kept);
    gone.settle();
    QVERIFY2(gone.message().endsWith("the mask stays as it was saved"), qPrintable(gone.message()));
  }

  /// As one step: the comparison begins with it, and A stays.
  void a_file_becomes_the_second_mask() {
    const QTemporaryDir folder;
    BatchWindow s;
    s.open(writtenFile(folder, QStringLiteral("a.csv"), "1,0,0\n1,1,0\n1,1,1\n"));
    const ParameterValues first = s.page().values;
    const QString path = writtenFile(folder, QStringLiteral("b.csv"), "1,1,1\n1,1,1\n1,1,1\n");
    s.window.currentPanel()->maskSource()->importFile(path, true);
    s.settle();
    QVERIFY(s.page().compare == CompareMode::side_by_side);
    QCOMPARE(s.page().values, first);
    QVERIFY(s.page().other.integers("mask_rows") != first.integers("mask_rows"));
    s.bench().undo();
    QVERIFY(s.page().compare == CompareMode::none);
  }

  /// A list of a former batch is not that of the next file.
  void another_file_forgets_the_lists() {
    const QTemporaryDir folder;
    BatchWindow s;
    s.open(writtenFile(folder, QStringLiteral("b.safetensors"), collatorBatch()));
    s.open(writtenFile(folder, QStringLiteral("m.csv"), "1,0,0\n1,1,0\n1,1,1\n"));
    QVERIFY(s.page().lint.integers("labels").empty());
    QCOMPARE(s.page().batch, BatchChoice());
    QVERIFY(!s.part<SampleStrip>("sampleStrip")->isVisible());
  }
};

VQSCOPE_TEST(BatchFilesTest)
#include "batch_files_test.moc"
