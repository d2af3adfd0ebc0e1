// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/query_layout.h"

#include "core/sequence/sequence_layout.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterValues values(std::vector<Index> lengths, Index kv_length = 0, Index padding = 0, Index past_len = 0) {
  ParameterValues all = default_values(sequence_parameters(SequenceUse::positions, 512));
  all.set("document_lengths", std::move(lengths));
  all.set("kv_length", kv_length);
  all.set("padding", padding);
  all.set("past_len", past_len);
  return all;
}

}  // namespace

class DocumentsFitTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 300 + 212 + 512 tokens, 10 of padding, 24 in the cache.
  void the_documents_fill_the_sequence() {
    QCOMPARE(q_length_of_documents(values({300, 212, 512})), std::optional<Index>(1024));
    QCOMPARE(q_length_of_documents(values({300, 212, 512}, 0, 10, 24)), std::optional<Index>(1010));
    QCOMPARE(q_length_of_documents(values({300, 212}, 0, -1)), std::optional<Index>(512));
    ParameterValues fitting = values({300, 212, 512}, 0, 10, 24);
    fitting.set("q_length", Index{1010});
    QVERIFY(SequenceLayout::make(sequence_input(fitting)));
  }

  void no_fit() {
    QVERIFY(!q_length_of_documents(values({})));
    QVERIFY(!q_length_of_documents(values({5}, 100)));
    QVERIFY(!q_length_of_documents(values({5}, 0, 0, 5)));
    QVERIFY(!q_length_of_documents({}));
    QVERIFY(!q_length_of_documents(values({Index{1} << 31, Index{1} << 31})));
    QCOMPARE(q_length_of_documents(values({Index{1} << 31})), std::optional<Index>(Index{1} << 31));
  }
};

VQSCOPE_TEST(DocumentsFitTest)
#include "documents_fit_test.moc"
