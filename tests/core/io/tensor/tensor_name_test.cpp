// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_name.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorNameTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void of_files_that_do_not_exist() {
    QCOMPARE(*parse_tensor_name("q.npy"), (TensorName{"q.npy", "", {}}));
    QCOMPARE(*parse_tensor_name("dir.npz/a:b/M.NPZ:q"), (TensorName{"dir.npz/a:b/M.NPZ", "q", {}}));
    QCOMPARE(*parse_tensor_name("m.safetensors:layers.0.k:0[2, -1]"),
             (TensorName{"m.safetensors", "layers.0.k:0", {2, -1}}));
    QCOMPARE(*parse_tensor_name("q.npy[3]"), (TensorName{"q.npy", "", {3}}));
    QCOMPARE(*parse_tensor_name("b.pt:[1]"), (TensorName{"b.pt", "", {1}}));
    QCOMPARE(*parse_tensor_name("b.pt:a[0].b[1][-2,3]"), (TensorName{"b.pt", "a[0].b", {1, -2, 3}}));
    QCOMPARE(*parse_tensor_name("b.pt:a['x']"), (TensorName{"b.pt", "a['x']", {}}));
    for (const char* text : {"q.npy", "q.npy[3]", "m.npz:q", "m.safetensors:layers.0.k:0[2,-1]"})
      COMPARE_TEXT(tensor_name_text(*parse_tensor_name(text)), text);
    COMPARE_ERROR(parse_tensor_name("q.txt"), "there is no file q.txt, expected FILE or FILE:NAME");
    COMPARE_ERROR(parse_tensor_name("q.npz:"), "q.npz:: the name of a tensor must follow the colon");
    COMPARE_ERROR(parse_tensor_name("q.npy[]"),
                  "q.npy[]: brackets at the end must hold whole numbers, such as [2] or [2,5], not nothing");
    COMPARE_ERROR(parse_tensor_name("q.npy[1,a]"),
                  "q.npy[1,a]: brackets at the end must hold whole numbers, such as [2] or [2,5], not a");
  }

  void standard_input() {
    QCOMPARE(*parse_tensor_name("-"), (TensorName{"-", "", {}}));
    QCOMPARE(*parse_tensor_name("-:a.b[1]"), (TensorName{"-", "a.b", {1}}));
    QCOMPARE(*parse_tensor_name("-[1]"), (TensorName{"-", "", {1}}));
  }

  /// The longest path that exists is the file, whatever it contains.
  void of_files_that_exist() {
    const std::string plain = written("dump");
    const std::string odd = written("a:b[0].x");
    QCOMPARE(*parse_tensor_name(plain + ":q[1]"), (TensorName{plain, "q", {1}}));
    QCOMPARE(*parse_tensor_name(plain + "[1]"), (TensorName{plain, "", {1}}));
    QCOMPARE(*parse_tensor_name(odd), (TensorName{odd, "", {}}));
    QCOMPARE(*parse_tensor_name(odd + ":c:d"), (TensorName{odd, "c:d", {}}));
    QCOMPARE(*parse_tensor_name(written("x[0]")), (TensorName{m_folder.filePath("x[0]").toStdString(), "", {}}));
  }

 private:
  std::string written(const QString& name) { return writtenFile(m_folder, name, "x").toStdString(); }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(TensorNameTest)
#include "tensor_name_test.moc"
