// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class SnippetTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void printsPython() {
    const auto torch = runProgram(m_folder, {"snippet", "alibi", "--set", "head=3"});
    QCOMPARE(torch.status, 0);
    QVERIFY(torch.out.startsWith("import torch\n\n# ALiBi: "));
    QVERIFY(torch.out.contains("num_heads, head = 8, 3\n"));
    const auto numpy = runProgram(m_folder, {"snippet", "rope_cos", "--set", "rope_type=yarn", "--library", "numpy"});
    QVERIFY(numpy.out.startsWith("import numpy as np\n"));
    QVERIFY(numpy.out.contains("interpolated = ramp(32, 1)\n"));
  }

  void aBlockMask() {
    const auto python = runProgram(m_folder, {"snippet", "block_mask", "--set", "mask=packed", "--set", "q_length=64"});
    QCOMPARE(python.status, 0);
    QVERIFY(python.out.contains("document_lengths = [16, 16, 16, 16]\n") &&
            python.out.contains("BlockMask(seq_lengths"));
    QVERIFY(runProgram(m_folder, {"snippet", "block_mask", "--library", "numpy"}).err.contains("for torch alone"));
  }

  void refusals() {
    QCOMPARE(runProgram(m_folder, {"snippet"}).status, 2);
    QVERIFY(runProgram(m_folder, {"snippet", "alibi", "--library", "jax"})
                .err.contains("library is \"jax\" but must be numpy or torch"));
    QVERIFY(runProgram(m_folder, {"snippet", "visibility"}).err.contains("there is no code to copy for visibility"));
    QVERIFY(runProgram(m_folder, {"snippet", "alibi", "nope"}).err.contains("unexpected argument \"nope\""));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(SnippetTest)
#include "snippet_test.moc"
