// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "core/io/npy/npy_writer.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/mask/preset/imported_preset.h"
#include "core/session/session_json.h"
#include "core/session/subject/subject_tensors.h"
#include "tests/support/hands.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/import/attention_dialog.h"
#include "widgets/page/plain_pages.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/panel/subject_bar.h"
#include "widgets/parts/message_bar.h"
#include "widgets/session/file_watcher.h"
#include "widgets/start/start_view.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <limits>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

/// Queries, keys and values on their way into the window.
class TensorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }

  void filesDroppedTogetherAreOpenedTogether() {
    drop({file("q.npy"), file("k.npy"), file("v.npy")});
    settle();
    checkOpened();
  }

  /// A capture: the mask of the chosen head is that of the page of masks.
  void maskBesideTensorsIsOpenedToo() {
    const QString path = capture();
    whenModal<AttentionDialog>([](AttentionDialog& dialog) {
      auto boxes = dialog.findChildren<QSpinBox*>();
      boxes.back()->setValue(1);
      dialog.accept();
    });
    drop({path});
    settle();
    QVERIFY2(m_window->workbench().session().current == "masks", qPrintable(shownMessage()));
    QVERIFY2(shownMessage().startsWith("capture.safetensors:mask [1, 2, 16, 16]: "), qPrintable(shownMessage()));
    QVERIFY2(shownMessage().contains("; the file's q, k and v are those of all pages"), qPrintable(shownMessage()));
    QVERIFY(has_imported_mask(state("masks").values));
    QCOMPARE(state("vq").values.choice("data"), std::string("tensors"));
    QCOMPARE(state("vq").values.text("q_tensor"), path.toStdString() + ":q[0]");
    QCOMPARE(state("vq").values.integer("head"), Index{1});
    QCOMPARE(m_window->currentPanel()->findChild<QSpinBox*>("head")->value(), 1);
  }

  /// The pictures follow the files, and say so while one cannot be read.
  void changedTensorsAreReadAnew() {
    drop({file("q.npy"), file("k.npy"), file("v.npy")});
    settle();
    const auto look = [&] {
      for (auto* each : m_window->findChildren<FileWatcher*>()) each->lookNow();
    };
    QFile kept(m_folder->filePath("k.npy"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray keys = kept.readAll();
    writtenFile(*m_folder, "k.npy", keys.left(keys.size() - 8));
    for (auto* each : m_window->findChildren<FileWatcher*>()) each->lookNow(WatchTimes().given_up);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->currentPage()->freshness().isOutdated(), 60000);
    QVERIFY2(m_window->currentPage()->freshness().cause.contains("k.npy"),
             qPrintable(m_window->currentPage()->freshness().cause));
    QByteArray others = keys;
    others[others.size() - 1] = static_cast<char>(others.back() ^ 1);
    writtenFile(*m_folder, "k.npy", others);
    look();
    QTRY_COMPARE_WITH_TIMEOUT(shownMessage(), QString("k.npy changed on disk and is read anew"), 60000);
    settle();
    QVERIFY(m_window->currentPage()->freshness().isCurrent());
    const Subject& subject = m_window->workbench().session().subject;
    QCOMPARE(subject.tensors.at("k_tensor"), *record_of(m_folder->filePath("k.npy").toStdString()));
  }

  /// Their names give no roles, their shapes do: a dialog asks.
  void filesWithoutRolesInTheirNames() {
    whenModal<AttentionDialog>([](AttentionDialog& dialog) {
      const auto boxes = dialog.findChildren<QComboBox*>();
      for (int role = 0; role < 3; ++role) boxes[role]->setCurrentIndex(role + 1);
      dialog.accept();
    });
    drop({file("a.npy"), file("b.npy"), file("c.npy")});
    settle();
    QCOMPARE(m_window->workbench().session().current, std::string("vq"));
    QVERIFY(state("vq").values.text("v_tensor").ends_with("c.npy"));
  }

  void filesThatDoNotGoTogetherAreRefused() {
    const Session before = m_window->workbench().session();
    const QString text = writtenFile(*m_folder, "m.py", "return q_idx >= kv_idx\n");
    drop({file("q.npy"), text});
    settle();
    QCOMPARE(shownMessage(), QString("q.npy, m.py cannot be opened together; several files must be q, k and v by their "
                                     "names or shapes, two models or two captures"));
    QVERIFY(m_window->workbench().session() == before);
  }

  /// What is lost is shown as an error, and nothing else in its place.
  void lostTensorsOfASessionAreAnError() {
    drop({file("q.npy"), file("k.npy"), file("v.npy")});
    settle();
    checkOpened();
    const std::string text = session_text(m_window->workbench().session());
    QVERIFY(QFile::remove(m_folder->filePath("q.npy")));
    const auto again = parse_session(text);
    QVERIFY(again);
    m_window->workbench().setSession(again->session, false);
    settle();
    const auto lost = [&] { return m_window->currentPage()->freshness(); };
    QVERIFY(lost().isOutdated() && lost().isEmpty);
    QVERIFY2(lost().refusal().contains(": q_tensor: cannot read "), qPrintable(lost().refusal()));
    checkKept();
    ShownPage next = state("vq");
    next.values.set("n_code", Index{5});
    QVERIFY(m_window->workbench().edit("Change n_code", next));
    settle();
    QVERIFY(lost().isOutdated());
    file("q.npy");
    next.values.set("n_code", Index{6});
    QVERIFY(m_window->workbench().edit("Change n_code", next));
    settle();
    QVERIFY2(lost().isCurrent(), qPrintable(lost().refusal()));
  }

  /// The chip names the files, and a click chooses others without leaving the page.
  void chipShowsAndChoosesTheTensors() {
    const auto* button = chip("q, k, v");
    QVERIFY(button && button->text() == "q, k, v  none");
    drop({file("q.npy"), file("k.npy"), file("v.npy")});
    settle();
    QCOMPARE(chip("q, k, v")->text(), QString("q, k, v  q.npy, k.npy, v.npy · [256, 8]"));
    QVERIFY(chip("q, k, v")->toolTip().contains("k: " + m_folder->filePath("k.npy") + " is [256, 8]"));
    m_window->workbench().showPage("experiments");
    ShownPage next = state("experiments");
    next.method = "vq_error_by_token";
    QVERIFY(m_window->workbench().edit("Show a method", next));
    settle();
    whenModal<AttentionDialog>([](AttentionDialog& dialog) {
      QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), 60000);
      dialog.findChild<QComboBox*>("values")->setCurrentIndex(0);
      dialog.accept();
    });
    chip("q, k, v")->click();
    settle();
    QCOMPARE(m_window->workbench().session().current, std::string("experiments"));
    QCOMPARE(chip("q, k, v")->text(), QString("q, k, v  q.npy, k.npy · [256, 8]"));
    QVERIFY(QFile::remove(m_folder->filePath("k.npy")));
    m_window->workbench().undo();
    settle();
    QCOMPARE(chip("q, k, v")->text(), QString("q, k, v  k.npy cannot be read"));
    file("k.npy");
    m_window->subjectBar()->sync();
    QVERIFY(chip("q, k, v")->text().endsWith(" · [256, 8]"));
    QVERIFY(QFile::remove(m_folder->filePath("k.npy")));
    m_window->subjectBar()->sync();
    QVERIFY(chip("q, k, v")->text().endsWith("k.npy cannot be read"));
    whenModal<AttentionDialog>([](AttentionDialog& dialog) { dialog.done(AttentionDialog::removed); });
    chip("q, k, v")->click();
    settle();
    QCOMPARE(chip("q, k, v")->text(), QString("q, k, v  none"));
    QVERIFY(state("experiments").values.choice("data") != "tensors");
  }

  /// The order of a file dialog is not that of the roles, and a single file may have all.
  void cardOpensAllThreeTensors() {
    auto* start = qobject_cast<StartPage*>(m_window->currentPage());
    QVERIFY(start);
    bool confirmed = false;
    whenModal<AttentionDialog>([&](AttentionDialog& dialog) {
      confirmed = true;
      auto* files = dialog.findChild<QPushButton*>("addFiles");
      QVERIFY(files->hasFocus() || dialog.focusWidget() == files);
      QVERIFY(files->autoDefault());  // Return presses it
      dialog.addFiles({file("v.npy"), file("k.npy"), file("q.npy")});
      QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), 60000);
      dialog.accept();
    });
    emit start->view()->tensorsRequested();
    QVERIFY(confirmed);
    settle();
    checkOpened();
  }

  void cancelledCardKeepsTheSession() {
    auto* start = qobject_cast<StartPage*>(m_window->currentPage());
    const Session before = m_window->workbench().session();
    whenModal<AttentionDialog>([](AttentionDialog& dialog) { dialog.reject(); });
    emit start->view()->tensorsRequested();
    QVERIFY(m_window->workbench().session() == before);
    QCOMPARE(shownMessage(), QString());
  }

  /// Numbers that mask nothing are no mask of which all is visible.
  void fileThatMasksNothingNeedsConfirmation() {
    drop({file("q.npy")});
    QTRY_VERIFY_WITH_TIMEOUT(question(), 120000);
    QVERIFY(question()->text().contains(
        "q.npy has 256 x 8 numbers, and none of them masks a cell: a mask, or vectors q, k or v?"));
    question()->button(QMessageBox::Cancel)->click();
    settle();
    QVERIFY(!has_imported_mask(state("masks").values));
    drop({file("q.npy")});
    QTRY_VERIFY_WITH_TIMEOUT(question(), 120000);
    press("Import as a mask");
    settle();
    QVERIFY(has_imported_mask(state("masks").values));
  }

  void fileThatMasksNothingCanBeOpenedAsQueries() {
    drop({file("q.npy")});
    QTRY_VERIFY_WITH_TIMEOUT(question(), 120000);
    whenModal<AttentionDialog>([&](AttentionDialog& dialog) {
      dialog.addFiles({file("k.npy"), file("v.npy")});
      QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), 60000);
      QVERIFY(dialog.isComplete());
      dialog.accept();
    });
    press("Use as q, k or v…");
    settle();
    checkOpened();
  }

 private:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    settle();
  }
  void afterEach() override { m_window.reset(); }

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
    for (auto* each : m_window->findChildren<FileWatcher*>()) QTRY_VERIFY_WITH_TIMEOUT(!each->isBusy(), 60000);
  }
  QString shownMessage() const { return m_window->findChild<MessageBar*>()->sentence(); }
  const ShownPage& state(const char* page) const { return m_window->workbench().page(page); }

  /// 256 tokens of 8 numbers from -1 to 1.
  QString file(const QString& name) const {
    const std::vector<Index> shape{256, 8};
    std::vector<float> numbers;
    for (int i = 0; i < 256 * 8; ++i) numbers.push_back(static_cast<float>(i * 37 % 101 - 50) / 50);
    StringSink bytes;
    if (!write_npy(shape, numbers, bytes, {})) return {};
    return writtenFile(*m_folder, name, QByteArray::fromStdString(bytes.text()));
  }

  /// One sample of two heads, of which the second sees its own token only.
  QString capture() const {
    const std::vector<Index> shape{1, 2, 16, 4}, square{1, 2, 16, 16};
    const std::vector<float> numbers(128, 0.5F);
    std::vector<float> added(512, 0);
    for (std::size_t i = 256; i < added.size(); ++i)
      if (i % 256 % 17 != 0) added[i] = -std::numeric_limits<float>::infinity();
    StringSink bytes;
    const std::vector<NamedTensor> tensors{
        {"q", shape, numbers}, {"k", shape, numbers}, {"v", shape, numbers}, {"mask", square, added}};
    if (!write_safetensors(tensors, bytes)) return {};
    return writtenFile(*m_folder, "capture.safetensors", QByteArray::fromStdString(bytes.text()));
  }

  void drop(const QStringList& paths) { dropFiles(*m_window, paths); }

  QToolButton* chip(const QString& title) const {
    for (auto* button : m_window->subjectBar()->findChildren<QToolButton*>())
      if (button->text().startsWith(title + QStringLiteral("  "))) return button;
    return nullptr;
  }

  static QMessageBox* question() { return qobject_cast<QMessageBox*>(QApplication::activeModalWidget()); }
  static void press(const QString& title) {
    for (auto* button : question()->buttons())
      if (button->text() == title) return button->click();
    QFAIL("no such button");
  }

  void checkOpened() {
    checkKept();
    QVERIFY(state("vq").own.map().empty());
    QCOMPARE(state("experiments").values.text("k_tensor"), state("vq").values.text("k_tensor"));
    QVERIFY2(m_window->currentPage()->freshness().isCurrent(),
             qPrintable(m_window->currentPage()->freshness().refusal()));
  }

  void checkKept() {
    QVERIFY2(m_window->workbench().session().current == "vq", qPrintable(shownMessage()));
    const ParameterValues& values = state("vq").values;
    QCOMPARE(values.choice("data"), std::string("tensors"));
    for (const char* name : {"q", "k", "v"})
      QCOMPARE(values.text(std::string(name) + "_tensor"), m_folder->filePath(name).toStdString() + ".npy");
    QCOMPARE(values.integer("q_length"), Index{256});
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<MainWindow> m_window;
};

VQSCOPE_TEST(TensorsTest)
#include "tensors_test.moc"
