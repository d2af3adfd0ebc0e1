// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/tensor_editor.h"

#include "core/io/npy/npy_writer.h"
#include "tests/support/hands.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/form/parameter_form.h"
#include "widgets/import/tensor_dialog.h"

#include <QLabel>
#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct ShownTensor {
  ParameterForm form{
      {{.name = "keys", .help = "Keys.", .kind = ParameterKind::tensor, .default_value = std::string()}}};
  EntryBox* box = form.findChild<EntryBox*>("keys");
  TensorEditor* editor = form.findChild<TensorEditor*>();
  std::vector<std::string> edits;

  ShownTensor() {
    QObject::connect(
        &form, &ParameterForm::valueEdited, &form,
        [this](const QString&, const ParameterValue& value, bool) { edits.push_back(std::get<std::string>(value)); });
    form.show();
    form.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&form);
  }
  void open(const QString& path) {
    editor->openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(!editor->isReading(), 60000);
  }
  void type(const QString& words) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, words);
  }
  QString error() const {
    const auto* label = form.findChild<QLabel*>("keys.error");
    return label->isVisible() ? label->text() : QString();
  }
};

}  // namespace

class TensorEditorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aNameIsTypedAndRefusedAtTheEnd() {
    ShownTensor s;
    QVERIFY(s.box && s.editor);
    QCOMPARE(s.box->placeholderText(), QString("FILE:NAME[layer,head]"));
    s.type("q.np");
    QVERIFY2(s.error().isEmpty(), "more may be typed");
    QTest::keyClick(s.box, Qt::Key_Return);
    QCOMPARE(s.error(), QString("there is no file q.np, expected FILE or FILE:NAME"));
    QVERIFY(s.edits.empty());
    s.type("q.npz:q[2,-1]");
    QTest::keyClick(s.box, Qt::Key_Return);
    QVERIFY(s.error().isEmpty());
    s.type(" ");
    QTest::keyClick(s.box, Qt::Key_Return);
    QCOMPARE(s.edits, (std::vector<std::string>{"q.npz:q[2,-1]", ""}));
  }

  void aFileWithOneMatrixIsTakenAtOnce() {
    ShownTensor s;
    const QString path = npyFile("q.npy", {3, 4});
    s.open(path);
    QCOMPARE(s.edits, (std::vector<std::string>{path.toStdString()}));
    QCOMPARE(s.box->text(), path);
    s.open(m_folder.filePath("none.npy"));
    QCOMPARE(s.error(), "cannot read " + m_folder.filePath("none.npy") + ": No such file or directory");
    QCOMPARE(s.edits.size(), std::size_t{1});
  }

  void fileWithSeveralTensorsOpensADialog() {
    ShownTensor s;
    const QString path = npyFile("kv.npy", {2, 3, 4, 4});
    whenModal<TensorDialog>([](TensorDialog& dialog) {
      dialog.select({dialog.name().file, "", {1, -1}});
      dialog.accept();
    });
    s.open(path);
    QCOMPARE(s.edits, (std::vector<std::string>{path.toStdString() + "[1,2]"}));
    whenModal<TensorDialog>([](TensorDialog& dialog) {
      QCOMPARE(dialog.name().leading, (std::vector<Index>{1, 2}));
      dialog.reject();
    });
    s.open(path);
    QCOMPARE(s.edits.size(), std::size_t{1});
  }

 private:
  QString npyFile(const QString& name, const std::vector<Index>& shape) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    const std::string header = npy_header("<f4", shape);
    return writtenFile(m_folder, name, QByteArray::fromStdString(header) + QByteArray(4 * static_cast<int>(count), 0));
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(TensorEditorTest)
#include "tensor_editor_test.moc"
