// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention.h"
#include "core/io/npy/npy_reader.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

template <class T>
std::vector<T> golden(const char* name) {
  QFile file(test::dataPath(QStringLiteral("vq/%1.npy").arg(QLatin1String(name))));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const std::string bytes = file.readAll().toStdString();
  const MemorySource source(bytes);
  return read_npy<T>(source, read_npy_header(source).value(), 1 << 20).value();
}

}  // namespace

/// 96 tokens, d_k 16, d_v 24, 12 codes: causal attention exact and quantised, computed elsewhere in
/// float64.
class GoldenAttentionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_form_and_the_definition() {
    const auto q = golden<float>("q");
    const auto k = golden<float>("k");
    const auto v = golden<float>("v");
    const auto codebook = golden<float>("codebook");
    const auto codes = golden<Index>("shortcodes");
    QCOMPARE(q.size(), std::size_t{96 * 16});
    AttentionInput input{.q = {q, 1, 96, 16}, .k = {k, 1, 96, 16}, .v = {v, 1, 96, 24}};
    input.codebook = {codebook, 1, 12, 16};
    for (const AttentionForm form : {AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear})
      for (const Index block_len : {8, 32, 50}) {
        const auto wanted = golden<float>(form == AttentionForm::exact ? "exact_output" : "vq_output");
        const AttentionOptions options{.form = form, .block_len = block_len};
        const auto got = attention(input, options).value();
        COMPARE_TEXT(farther(got.values, wanted, 1e-6, v), "");
        COMPARE_TEXT(farther(AttentionDefinition(input, options).output(), wanted, 1e-6, v), "");
        if (form != AttentionForm::exact) QVERIFY(std::ranges::equal(got.shortcodes, codes));
      }
  }
};

VQSCOPE_TEST(GoldenAttentionTest)
#include "golden_attention_test.moc"
