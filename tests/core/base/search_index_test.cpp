// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/search_index.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

std::vector<SearchText> someTexts() {
  using enum SearchKind;
  return {{value, "task = copy", "copy"},
          {action, "Copy command line", "", "export script shell"},
          {action, "Copy code for PyTorch"},
          {action, "Copy code for NumPy"},
          {guide, "Encodings › Which code can I copy?"},
          {method, "Linear against quadratic by block length", "vq_block_invariance"},
          {parameter, "T", "q_length", "Number of queries: the sequence length T in self-attention."},
          {parameter, "Keys", "kv_length", "Number of keys, cached ones included."},
          {action, "Export…", "", "figure picture pdf svg png"},
          {guide, "Maps › How do I export a figure?"},
          {guide, "Seen in training"},
          {method, "RoPE seen in training", "rope_phase_seen"},
          {method, "RoPE phase", "rope_phase"},
          {method, "RoPE cos", "rope_cos"},
          {parameter, "Base θ", "rope_theta"},
          {value, "rope_type = yarn", "yarn"},
          {method, "YaRN minus NTK", "yarn_minus_ntk"},
          {action, "Theme: Dark"},
          {action, "Pin a curve: Score by distance"},
          {method, "Score by distance", "rope_score"},
          {value, "model = gemma_2_9b", "gemma_2_9b"},
          {action, "Model configs: gemma-3-27b"},
          {method, "A trained model", "", "attends in a window of 128 tokens"},
          {gallery, "Window off by one", "", "39408"},
          {parameter, "Window", "sliding_window"},
          {action, "Open…"},
          {action, "Open model…"},
          {file, "/home/ada/qwen/config.json"}};
}

/// Shown titles of the hits, best first.
QStringList titles(const SearchIndex& index, const char* typed) {
  QStringList all;
  for (const SearchHit& hit : index.find(typed)) all << QString::fromStdString(shown_title(index.texts()[hit.index]));
  return all;
}

/// The shown title with what matches in brackets.
std::string marked(const SearchText& text, const char* typed) {
  const auto hits = SearchIndex({text}).find(typed);
  if (hits.empty()) return "none";
  const std::string shown = shown_title(text);
  std::string with;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool is = std::ranges::count(hits.front().marks, i) > 0;
    with += is ? std::string("[") + shown[i] + "]" : std::string(1, shown[i]);
  }
  return with;
}

}  // namespace

class SearchIndexTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void bestHits_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("first");
    const auto row = [](const char* typed, const QStringList& first) {
      QTest::newRow(typed) << QString(typed) << first;
    };
    row("copy", {"Copy command line", "Copy code for NumPy", "Copy code for PyTorch", "task = copy",
                 "Encodings › Which code can I copy?"});
    row("export", {"Export…", "Maps › How do I export a figure?", "Copy command line"});
    row("q_length", {"T  q_length"});
    row("t", {"T  q_length"});
    row("yarn", {"rope_type = yarn", "YaRN minus NTK  yarn_minus_ntk"});
    row("rope type yarn", {"rope_type = yarn"});
    row("rope_theta", {"Base θ  rope_theta"});
    row("ropecos", {"RoPE cos  rope_cos"});
    row("dark", {"Theme: Dark"});
    row("score by distance", {"Score by distance  rope_score", "Pin a curve: Score by distance"});
    row("seen in training", {"RoPE seen in training  rope_phase_seen", "Seen in training"});
    row("window", {"Window  sliding_window", "Window off by one"});
    row("39408", {"Window off by one"});
    row("gemma", {"Model configs: gemma-3-27b", "model = gemma_2_9b"});
    row("window of", {"Window off by one", "A trained model"});
    row("window 128", {});  // in prose by chance
    row("pdf", {"Export…"});
    row("export pdf", {"Export…"});
    row("open", {"Open…", "Open model…"});
    row("qwen", {"/home/ada/qwen/config.json"});
    row("cpcl", {"Copy command line"});
    row("expt", {"Export…"});
    row("qnq", {});
    row("comxand", {"Copy command line"});
    row("qqqq", {});
    row(" - ", {});
    row("", {});
  }

  void bestHits() {
    QFETCH(QString, typed);
    QFETCH(QStringList, first);
    const QStringList found = titles(SearchIndex(someTexts()), typed.toUtf8().constData());
    QCOMPARE(found.mid(0, std::max<qsizetype>(first.size(), first.isEmpty() ? 1 : 0)), first);
  }

  /// What is chosen often comes before what matches alike, and before a kind next to its own.
  void usesCount() {
    auto texts = someTexts();
    const auto uses = [&texts](const char* title) -> int& {
      return std::ranges::find(texts, title, &SearchText::title)->uses;
    };
    uses("Copy code for PyTorch") = 1;
    QCOMPARE(titles(SearchIndex(texts), "copy").front(), QString("Copy code for PyTorch"));
    uses("Copy code for PyTorch") = 0;
    uses("task = copy") = 3;
    QCOMPARE(titles(SearchIndex(texts), "copy").front(), QString("task = copy"));
    uses("Open model…") = 1000;
    QCOMPARE(titles(SearchIndex(texts), "open").front(), QString("Open…"));  // it is what was typed
  }

  void lettersAreMarked() {
    QCOMPARE(marked({.title = "Copy command line"}, "com"), std::string("Copy [c][o][m]mand line"));
    QCOMPARE(marked({.title = "Copy command line"}, "li copy"), std::string("[C][o][p][y] command [l][i]ne"));
    QCOMPARE(marked({.title = "Copy command line"}, "ccl"), std::string("[C]opy [c]ommand [l]ine"));
    QCOMPARE(marked({.title = "Copy command line"}, "cpcl"), std::string("[C]o[p]y [c]ommand [l]ine"));
    QCOMPARE(marked({.title = "T", .name = "q_length"}, "qlen"), std::string("T  [q]_[l][e][n]gth"));
    QCOMPARE(marked({.title = "Export", .keywords = "picture"}, "pict"), std::string("Export"));
  }
};

VQSCOPE_TEST(SearchIndexTest)
#include "search_index_test.moc"
