// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/attention_tensors.h"

#include "core/io/npy/npy_writer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "widgets/import/attention_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

FileTensor tensorOf(const std::string& file, const std::string& name, const std::vector<Index>& shape) {
  return {file, {.name = name, .dtype = "float32", .shape = shape}};
}

/// "0 2 -": places of queries, keys and values.
std::string rolesText(const QkvRoles& roles) {
  std::string text;
  for (const auto& role : roles) text += (text.empty() ? "" : " ") + (role ? std::to_string(*role) : "-");
  return text;
}

std::string textOf(const ParameterValues& values, const char* name) { return values.text(name); }

}  // namespace

class AttentionTensorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rolesFollowFromNames_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QString>("roles");
    QTest::newRow("files") << QStringList{"v.npy", "q.npy", "k.npy"} << QStringList{"", "", ""} << "1 2 0";
    QTest::newRow("words") << QStringList{"query_states.npy", "layer3-keys.npy", "Values.npy"}
                           << QStringList{"", "", ""} << "0 1 2";
    QTest::newRow("one file") << QStringList{"qkv.npz", "qkv.npz", "qkv.npz"} << QStringList{"k", "v", "q"} << "2 0 1";
    QTest::newRow("names before files") << QStringList{"q.npz", "q.npz"} << QStringList{"k", "arr_0"} << "1 0 -";
    QTest::newRow("the first") << QStringList{"m.npz", "m.npz", "m.npz"} << QStringList{"l0.q", "l1.q", "l0.k"}
                               << "0 2 -";
    QTest::newRow("weights") << QStringList{"m.npz", "m.npz"} << QStringList{"attn.q_proj.weight", "attn.k_proj.weight"}
                             << "- - -";
    QTest::newRow("no word") << QStringList{"quick.npy", "mask.npy"} << QStringList{"", ""} << "- - -";
  }
  void rolesFollowFromNames() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, names);
    QFETCH(QString, roles);
    std::vector<FileTensor> tensors;
    for (int i = 0; i < files.size(); ++i)
      tensors.push_back(tensorOf(files[i].toStdString(), names[i].toStdString(), {8, 4}));
    QCOMPARE(rolesText(guessed_roles(tensors)), roles.toStdString());
  }

  void tensorsThatAreNoRealMatrixHaveNoRole() {
    std::vector<FileTensor> tensors{tensorOf("q.npy", "", {8}), tensorOf("k.npy", "", {8, 4})};
    tensors[1].tensor.problem = "the dtype must be real";
    QCOMPARE(rolesText(guessed_roles(tensors)), std::string("- - -"));
  }

  void valuesNameTheTensors() {
    const std::vector<FileTensor> tensors{tensorOf("/d/q.npy", "", {8, 4}), tensorOf("/d/kv.npz", "k", {8, 4}),
                                          tensorOf("/d/kv.npz", "v", {8, 6})};
    const auto values = attentionValues(tensors, {.roles = guessed_roles(tensors)});
    QVERIFY2(values, values ? "" : values.error().message.c_str());
    COMPARE_TEXT(textOf(*values, "q_tensor"), "/d/q.npy");
    COMPARE_TEXT(textOf(*values, "k_tensor"), "/d/kv.npz:k");
    COMPARE_TEXT(textOf(*values, "v_tensor"), "/d/kv.npz:v");
    QCOMPARE(values->integer("q_length"), Index{8});
  }

  /// Grouped queries: heads 0 to 3 have the keys of head 0, the others those of head 1.
  void headsShareTheirKeys() {
    const std::vector<FileTensor> tensors{tensorOf("q.npy", "", {2, 8, 16, 4}), tensorOf("k.npy", "", {2, 2, 16, 4})};
    const auto values = attentionValues(tensors, {.roles = guessed_roles(tensors), .samples = {1}, .head = 5});
    QVERIFY2(values, values ? "" : values.error().message.c_str());
    COMPARE_TEXT(textOf(*values, "q_tensor"), "q.npy[1]");
    COMPARE_TEXT(textOf(*values, "k_tensor"), "k.npy[1]");
    COMPARE_TEXT(textOf(*values, "v_tensor"), "");
    QCOMPARE(values->integer("head"), Index{5});
    QCOMPARE(values->integer("q_length"), Index{16});
  }

  void tokensCanComeBeforeHeads() {
    const std::vector<FileTensor> tensors{tensorOf("q.npy", "", {16, 8, 4}), tensorOf("k.npy", "", {16, 2, 4})};
    const auto values = attentionValues(tensors, {.roles = guessed_roles(tensors), .head = 7});
    QVERIFY2(values, values ? "" : values.error().message.c_str());
    QCOMPARE(values->integer("q_length"), Index{16});
    QCOMPARE(values->integer("head"), Index{7});
    const auto stated = attentionValues(tensors, {.roles = guessed_roles(tensors), .layout = "heads_first"});
    COMPARE_ERROR(stated, "q.npy (16, 8, 4) and k.npy (16, 2, 4) must have as many tokens");
  }

  void tensorsThatDoNotBelongTogether_data() {
    QTest::addColumn<QList<int>>("q");
    QTest::addColumn<QList<int>>("k");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("tokens") << QList<int>{8, 4} << QList<int>{9, 4}
                            << "q.npy (8, 4) and k.npy (9, 4) must have as many tokens";
    QTest::newRow("size") << QList<int>{8, 4} << QList<int>{8, 6}
                          << "q.npy (8, 4) and k.npy (8, 6) must have the same number of dimensions a head";
    QTest::newRow("dimensions") << QList<int>{2, 2, 8, 4} << QList<int>{8, 4}
                                << "q.npy (2, 2, 8, 4) and k.npy (8, 4) must have the same number of dimensions";
    QTest::newRow("heads") << QList<int>{3, 8, 4} << QList<int>{2, 8, 4}
                           << "q.npy is [3, 8, 4], k.npy is [2, 8, 4]: neither [heads, T, d] nor [T, heads, d] fits; k "
                              "and v must have one number of tokens and of heads, which divides the heads of q";
  }
  void tensorsThatDoNotBelongTogether() {
    QFETCH(QList<int>, q);
    QFETCH(QList<int>, k);
    QFETCH(QString, sentence);
    const std::vector<FileTensor> tensors{tensorOf("q.npy", "", {q.begin(), q.end()}),
                                          tensorOf("k.npy", "", {k.begin(), k.end()})};
    COMPARE_ERROR(attentionValues(tensors, {.roles = guessed_roles(tensors)}), sentence.toStdString());
  }

  /// "no", "q and k", or "with mask.npy": what the files are.
  static QString foundIn(const QStringList& paths) {
    const auto found = attentionFiles(paths);
    if (!found) return "no";
    return found->mask ? "with " + QFileInfo(QString::fromStdString(found->mask->file)).fileName() : "q and k";
  }

  void attentionTensorsAreDistinguishedFromMasks() {
    const QTemporaryDir folder;
    QStringList paths;
    for (const char* name : {"q.npy", "k.npy", "v.npy", "attn_mask.npy", "mask.npy"})
      paths << written(folder, name, {4, 2});
    QCOMPARE(foundIn(paths.mid(0, 3)), QString("q and k"));
    QCOMPARE(foundIn(paths.mid(0, 2)), QString("q and k"));
    QCOMPARE(foundIn(paths.mid(0, 4)), QString("with attn_mask.npy"));
    QCOMPARE(foundIn(paths), QString("with mask.npy"));
    QCOMPARE(foundIn(paths.mid(2, 3)), QString("no"));
    QCOMPARE(foundIn(paths.mid(0, 1)), QString("no"));
    QCOMPARE(foundIn({folder.filePath("q.npy"), folder.filePath("k.txt")}), QString("no"));
    QCOMPARE(foundIn({}), QString("no"));
  }

  void theDialogIsFilledByNames() {
    const QTemporaryDir folder;
    AttentionDialog dialog(nullptr);
    dialog.show();
    auto* accept = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!accept->isEnabled());
    QCOMPARE(dialog.focusWidget()->objectName(), QString("addFiles"));
    add(dialog, {written(folder, "q.npy", {4, 2}), written(folder, "other.npy", {4, 2})});
    QVERIFY(!accept->isEnabled() && !dialog.isComplete());
    QCOMPARE(dialog.focusWidget()->objectName(), QString("keys"));
    auto* keys = dialog.findChild<QComboBox*>("keys");
    QCOMPARE(keys->count(), 3);
    keys->setCurrentIndex(2);
    QVERIFY(accept->isEnabled() && !dialog.isComplete());
    add(dialog, {written(folder, "k.npy", {4, 2}), written(folder, "v.npy", {4, 2})});
    QVERIFY(dialog.isComplete());
    QCOMPARE(dialog.focusWidget(), static_cast<QWidget*>(accept));
    QVERIFY(keys->currentText().startsWith("k.npy (4, 2)"));
    add(dialog, {folder.filePath("none.npy")});
    QVERIFY(!dialog.isComplete() && accept->isEnabled());
  }

  /// What is chosen for all pages is chosen in the dialog, and what is lost is said.
  void theDialogShowsWhatIsChosen() {
    const QTemporaryDir folder;
    AttentionDialog first(nullptr);
    add(first, {written(folder, "k.npy", {2, 4, 8, 2}), written(folder, "q.npy", {2, 4, 8, 2}),
                written(folder, "other.npy", {2, 4, 8, 2})});
    first.findChild<QComboBox*>("values")->setCurrentIndex(3);
    auto boxes = first.findChildren<QSpinBox*>();
    boxes[0]->setValue(1);
    boxes[1]->setValue(3);
    const auto values = first.values();
    QVERIFY2(values, values ? "" : values.error().message.c_str());
    COMPARE_TEXT(textOf(*values, "v_tensor"), folder.filePath("other.npy").toStdString() + "[1]");
    AttentionDialog again(nullptr);
    again.select(*values);
    QTRY_VERIFY_WITH_TIMEOUT(!again.isReading(), 60000);
    QVERIFY2(*again.values() == *values, "other values");
    QVERIFY(QFile::remove(folder.filePath("k.npy")));
    AttentionDialog lost(nullptr);
    lost.select(*values);
    QTRY_VERIFY_WITH_TIMEOUT(!lost.isReading(), 60000);
    QVERIFY(!lost.values());
    QCOMPARE(lost.findChild<QComboBox*>("queries")->currentText().left(5), QString("q.npy"));
    QCOMPARE(lost.findChild<QComboBox*>("keys")->currentIndex(), 0);
    const auto labels = lost.findChildren<QLabel*>();
    QVERIFY(
        std::ranges::any_of(labels, [](const QLabel* each) { return each->text().contains("k.npy: No such file"); }));
  }

  void headsAreChosenInTheDialog() {
    const QTemporaryDir folder;
    AttentionDialog dialog(nullptr);
    add(dialog, {written(folder, "q.npy", {2, 4, 2}), written(folder, "k.npy", {2, 4, 2}),
                 written(folder, "v.npy", {2, 4, 2})});
    QVERIFY(!dialog.isComplete());
    auto* head = dialog.findChild<QSpinBox*>();
    QVERIFY(head && head->maximum() == 1);
    head->setValue(1);
    QVERIFY(textOf(*dialog.values(), "k_tensor").ends_with("k.npy"));
    QCOMPARE(dialog.values()->integer("head"), Index{1});
    auto* layout = dialog.findChild<QComboBox*>("layout");
    layout->setCurrentIndex(2);
    QCOMPARE(head->maximum(), 3);
    QCOMPARE(dialog.values()->integer("q_length"), Index{2});
    COMPARE_TEXT(textOf(*dialog.values(), "tensor_layout"), "tokens_first");
  }

  void shapes_of_attention() {
    const QTemporaryDir folder;
    const QString a = written(folder, "a.npy", {4, 16, 8}), b = written(folder, "b.npy", {2, 16, 8}),
                  c = written(folder, "c.npy", {2, 16, 4}), d = written(folder, "d.npy", {4, 15, 8}),
                  square = written(folder, "s.npy", {16, 16});
    QVERIFY(looksLikeAttention({a, b}));
    QVERIFY2(looksLikeAttention({c, b, a}), "the queries have more heads, the values another width");
    QVERIFY(!looksLikeAttention({a, d}));
    QVERIFY2(!looksLikeAttention({square, square}), "two masks");
    QVERIFY(!looksLikeAttention({a}));
    QVERIFY(!looksLikeAttention({a, folder.filePath("none.npy")}));
  }

 private:
  static void add(AttentionDialog& dialog, const QStringList& paths) {
    dialog.addFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), 60000);
  }
  static QString written(const QTemporaryDir& folder, const char* name, const std::vector<Index>& shape) {
    Index count = 1;
    for (const Index side : shape) count *= side;
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(npy_header("<f4", shape)));
    file.write(QByteArray(static_cast<qsizetype>(4 * count), '\0'));
    return path;
  }
};

VQSCOPE_TEST(AttentionTensorsTest)
#include "attention_tensors_test.moc"
