// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/dialect.h"

#include "core/lint/contract_case.h"
#include "core/mask/mask_difference.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct Shown {
  ContractCase given;
  MaskStructure structure;
};

Shown with(std::string_view settings) {
  const auto& specs = find_method(mask_methods(), "visibility")->parameters;
  auto values = default_values(specs);
  for (const auto setting : split(settings, ' ')) {
    const auto at = setting.find('=');
    const auto* spec = find_spec(specs, setting.substr(0, at));
    values.set(spec->name, *parse_value(*spec, setting.substr(at + 1)));
  }
  ContractCase given = *contract_case(values);
  const MaskStructure structure = verified(wanted_structure(given), *given.mask, given.layout);
  return {std::move(given), structure};
}

std::string cannot(const char* dialect, std::string_view settings) {
  const Shown s = with(settings);
  return join(dialect_coverage(*find_dialect(dialect), s.structure, s.given.layout).cannot, ", ");
}

std::string snippet(const char* dialect, std::string_view settings) {
  const Shown s = with(settings);
  return dialect_snippet(*find_dialect(dialect), s.structure, s.given.layout);
}

const std::vector<std::string> variety{"mask=causal q_length=8",
                                       "mask=bidirectional q_length=8",
                                       "mask=padding q_length=8 padding=3",
                                       "mask=padding q_length=8 padding=3 padding_side=right",
                                       "mask=prefix_lm q_length=8 prefix_length=3",
                                       "mask=packed q_length=8 document_lengths=3,5",
                                       "mask=packed q_length=8 padding=2 document_lengths=2,4 sliding_window=2",
                                       "mask=sliding_window q_length=8 sliding_window=3",
                                       "mask=sliding_window q_length=3 past_len=5 sliding_window=4",
                                       "mask=decode q_length=2 past_len=6",
                                       "mask=cross q_length=8",
                                       "mask=causal q_length=4 kv_length=9"};

}  // namespace

class DialectTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyRowSaysWhatItIs() {
    std::set<std::string> ids;
    for (const auto& dialect : dialects()) {
      QVERIFY(ids.insert(dialect.id).second);
      QVERIFY2(!dialect.title.empty() && !dialect.library.empty(), dialect.id.c_str());
      QVERIFY(dialect.window.empty() || find_window_meaning(dialect.window));
      QVERIFY(!polarity_text(dialect).empty());
      QCOMPARE(find_dialect(dialect.id), &dialect);
    }
    QVERIFY(!find_dialect("none"));
  }

  void windowMeanings() {
    std::string text;
    for (const auto& meaning : window_meanings()) text += meaning.id + " " + to_text(meaning.keys(8)) + "\n";
    COMPARE_TEXT(text,
                 "hf_causal 8\nhf_bidirectional 17\nflash_attention 9\nattention_gym 9\nxformers 8\ngpt_oss 8\n"
                 "deepmind 9\ntransformer_vq 9\nmeliad 8\ntransformer_xl 8\njax 9\n");
  }

  void windowArguments() {
    std::string text;
    for (const auto& meaning : window_meanings()) {
      text += window_argument_text(meaning, 128) + "\n";
      if (const auto argument = window_argument_for(meaning, 128)) QCOMPARE(meaning.keys(*argument), Index{128});
    }
    COMPARE_TEXT(text,
                 "128\ncannot: looks both ways\n127\n127\n128\n128\ncannot: looks both ways\n127\n"
                 "cannot: masks the query itself\n128\n127\n");
    COMPARE_TEXT(window_text(*find_dialect("flash_attention"), {.window = 128}), "window 128 is (127, 0)");
    COMPARE_TEXT(window_text(*find_dialect("xformers"), {.window = 128}), "window 128 is 128");
    COMPARE_TEXT(window_text(*find_dialect("sdpa"), {.window = 128}), "");
    COMPARE_TEXT(polarity_text(*find_dialect("additive_f16")), "0 attends, -65504 is masked");
  }

  void whatCannotBeSaid() {
    COMPARE_TEXT(cannot("sdpa", "mask=prefix_lm q_length=8"), "");
    COMPARE_TEXT(cannot("flash_attention", "mask=prefix_lm q_length=8"), "prefix 2");
    COMPARE_TEXT(cannot("flash_attention", "mask=packed q_length=8 sliding_window=3 padding=2"), "");
    COMPARE_TEXT(cannot("flash_attention", "mask=causal q_length=4 kv_length=9"), "keys after the last query");
    COMPARE_TEXT(cannot("padding_2d", "mask=packed q_length=8 sliding_window=3 padding=2"),
                 "causal, window 3, documents");
    COMPARE_TEXT(cannot("xformers", "mask=sliding_window q_length=300"), "");
  }

  void aStructureInWords() {
    COMPARE_TEXT(MaskStructure{}.text(), "bidirectional");
    const MaskStructure all{.causal = true, .window = 3, .documents = true, .padding = true};
    COMPARE_TEXT(all.text(), "causal, window 3, documents, padding");
    COMPARE_TEXT(MaskStructure{.prefix = 5}.text(), "prefix 5");
  }

  /// Of another extent, or of a mask that was not looked at to the end, nothing is known.
  void whatIsNotComparedIsNotExact() {
    const Shown s = with("mask=causal q_length=8");
    QVERIFY(s.structure.exact);
    QVERIFY(!verified(s.structure, *with("mask=causal q_length=9").given.mask, s.given.layout).exact);
    std::stop_source source;
    source.request_stop();
    QVERIFY(!verified(s.structure, *s.given.mask, s.given.layout, source.get_token()).exact);
  }

  void aStructureIsVerifiedByIntervals() {
    Random random(3);
    int exact = 0;
    for (int round = 0; round < 1500; ++round) {
      const MaskCase drawn = random_case(random);
      const auto has = [&](const char* term) { return std::ranges::count(drawn.terms, term) > 0; };
      MaskStructure structure{.causal = has("causal"), .documents = has("same_document"), .padding = has("key_valid")};
      if (has("prefix")) structure.prefix = drawn.prefix_length;
      if (has("sliding_window")) structure.window = drawn.window;
      QVERIFY(verified(structure, *drawn.mask(), drawn.layout).exact);
      structure.causal = !structure.causal;
      const auto other = structure_mask(structure, drawn.layout);
      std::uint64_t only_first = 0;
      std::uint64_t only_second = 0;
      for (Index q = 0; q < drawn.layout.q_length(); ++q)
        for (Index kv = 0; kv < drawn.layout.kv_length(); ++kv) {
          const bool a = drawn.mask()->visible(q, kv);
          const bool b = other->visible(q, kv);
          only_first += a && !b ? 1 : 0;
          only_second += b && !a ? 1 : 0;
        }
      const auto difference = compare_masks(*drawn.mask(), *other).value();
      QCOMPARE(difference.only_first, only_first);
      QCOMPARE(difference.only_second, only_second);
      exact += difference.equal() ? 1 : 0;
    }
    QVERIFY(exact < 1500);
  }

  void alignmentsDifferWhereTheySay() {
    for (const Extent extent : {Extent{1, 1}, {4, 4}, {2, 5}, {5, 2}, {1, 9}, {9, 1}, {7, 8}}) {
      std::uint64_t cells = 0;
      std::pair<Index, Index> first{-1, -1};
      Index empty = 0;
      for (Index q = 0; q < extent.rows; ++q) {
        empty += q + extent.cols - extent.rows < 0 ? 1 : 0;
        for (Index kv = 0; kv < extent.cols; ++kv) {
          if ((kv <= q) == (kv <= q + extent.cols - extent.rows)) continue;
          if (cells++ == 0) first = {q, kv};
        }
      }
      const auto got = alignment_difference(extent);
      QCOMPARE(got.cells, cells);
      QCOMPARE(got.empty_rows, empty);
      if (cells > 0) QVERIFY(got.row == first.first && got.key == first.second);
    }
    COMPARE_TEXT(alignment_text(*find_dialect("sdpa"), {2, 5}),
                 "top-left; bottom-right differs in 6 cells, the first at query 0, key 1 (2 queries, 5 keys)");
    COMPARE_TEXT(
        alignment_text(*find_dialect("flash_attention"), {5, 2}),
        "bottom-right; top-left differs in 6 cells, the first at query 0, key 0 (5 queries, 2 keys); bottom-right "
        "leaves 3 queries without a key");
    COMPARE_TEXT(alignment_text(*find_dialect("jax"), {4, 4}), "top-left; no difference, 4 queries, 4 keys");
    COMPARE_TEXT(alignment_text(*find_dialect("mha"), {4, 5}), "no causal flag: the mask says it");
  }

  void aWorkedSnippet() {
    COMPARE_TEXT(snippet("sdpa", "mask=sliding_window q_length=8 sliding_window=3"),
                 "import torch\nimport torch.nn.functional as F\n\n"
                 "q_length, kv_length, past_len = 8, 8, 0\n"
                 "document_lengths = [8]\n"
                 "kv_pos = torch.cat([torch.arange(n) for n in document_lengths])\n"
                 "kv_doc = torch.cat([torch.full((n,), i) for i, n in enumerate(document_lengths)])\n"
                 "q_pos = kv_pos[past_len:past_len + q_length]\n"
                 "q_doc = kv_doc[past_len:past_len + q_length]\n"
                 "visible = torch.ones((q_length, kv_length), dtype=torch.bool)\n"
                 "visible = visible & (kv_pos[None, :] <= q_pos[:, None])\n"
                 "visible = visible & (q_pos[:, None] - kv_pos[None, :] < 3)\n"
                 "q = torch.randn(1, 8, q_length, 64)\n"
                 "k = torch.randn(1, 8, kv_length, 64)\n"
                 "v = torch.randn(1, 8, kv_length, 64)\n"
                 "out = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)  # True attends\n");
    QVERIFY(snippet("flash_attention", "mask=sliding_window q_length=8 sliding_window=3")
                .find("causal=True, window_size=(2, 0))") != std::string::npos);
    QVERIFY(snippet("jax", "mask=sliding_window q_length=8 sliding_window=3")
                .find("is_causal=True, local_window_size=(2, 0))") != std::string::npos);
    QVERIFY(snippet("xformers", "mask=sliding_window q_length=8 sliding_window=3")
                .find("LowerTriangularFromBottomRightLocalAttentionMask(3)") != std::string::npos);
    QVERIFY(snippet("mha", "mask=causal q_length=8").find("attn_mask=~visible") != std::string::npos);
    QVERIFY(snippet("sdpa", "mask=causal q_length=2097152").find("# visible alone takes 4 TiB") != std::string::npos);
  }

  /// Python itself reads every snippet, where there is a Python.
  void everySnippetIsPython() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("no python3");
    const QTemporaryDir folder;
    QStringList files;
    for (const auto& settings : variety)
      for (const auto& dialect : dialects())
        for (const bool exact : {true, false}) {
          Shown s = with(settings);
          s.structure.exact = s.structure.exact && exact;
          files << folder.filePath(QString("s%1.py").arg(files.size()));
          QFile file(files.back());
          QVERIFY(file.open(QIODevice::WriteOnly));
          file.write(dialect_snippet(dialect, s.structure, s.given.layout).c_str());
        }
    QProcess process;
    process.start(python, QStringList{"-m", "py_compile"} + files);
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }
};

VQSCOPE_TEST(DialectTest)
#include "dialect_test.moc"
