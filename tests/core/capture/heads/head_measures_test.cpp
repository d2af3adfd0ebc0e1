// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/captured_heads.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index key_count = 256;
/// The token ids repeat after that many.
constexpr Index period = 100;

/// The key on which a head has nearly all weight.
using Favourite = std::function<Index(Index own)>;

const std::vector<std::pair<HeadRole, Favourite>>& planted_heads() {
  static const std::vector<std::pair<HeadRole, Favourite>> all{
      {HeadRole::sink, [](Index) { return Index{0}; }},
      {HeadRole::self, [](Index own) { return own; }},
      {HeadRole::previous, [](Index own) { return own - 1; }},
      {HeadRole::induction, [](Index own) { return own >= period ? own - period + 1 : own - 3; }},
      {HeadRole::duplicate, [](Index own) { return own >= period ? own - period : own - 3; }},
      {HeadRole::local, [](Index own) { return own - 20; }},
      {HeadRole::retrieval, [](Index own) { return own / 3; }}};
  return all;
}

void write(const QTemporaryDir& folder, const char* name, const std::vector<NamedTensor>& tensors) {
  StringSink sink;
  QVERIFY(write_safetensors(tensors, sink));
  writtenFile(folder, name, QByteArray::fromStdString(sink.text()));
}

/// Scores by head: 12 on its favourite, 0 on the others it sees.
void write_capture(const QTemporaryDir& folder) {
  std::vector<double> scores;
  std::vector<std::int32_t> tokens;
  for (const auto& [role, favourite] : planted_heads())
    for (Index own = 0; own < key_count; ++own)
      for (Index key = 0; key < key_count; ++key)
        scores.push_back(key > own ? -INFINITY : key == std::max(favourite(own), Index{0}) ? 12 : 0);
  for (Index key = 0; key < key_count; ++key) tokens.push_back(static_cast<std::int32_t>(key % period));
  write(folder, "layer004.safetensors", {{"scores", {1, std::ssize(planted_heads()), key_count, key_count}, scores}});
  write(folder, "inputs.safetensors", {{"input_ids", {1, key_count}, tokens}});
}

HeadMeasures of_one_head(const std::vector<NamedTensor>& tensors) {
  const QTemporaryDir folder;
  write(folder, "layer0.safetensors", tensors);
  const auto capture = Capture::open(folder.path().toStdString());
  if (!capture) qFatal("%s", capture.error().message.c_str());
  const auto heads = heads_of(*capture, {}, 0, 64, {});
  if (!heads) qFatal("%s", heads.error().message.c_str());
  return heads->heads.front().measures;
}

}  // namespace

/// What heads are for: planted patterns are named.
class HeadMeasuresTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Query 3 of four tokens "a b a b": half on the first, a quarter each on the tokens 2 and 3.
  void a_row_by_hand() {
    HeadSums sums(4);
    const std::vector<float> weights{0.5F, 0, 0.25F, 0.25F};
    const std::vector<Index> tokens{7, 8, 7, 8};
    sums.add(weights, 3, 0, 0, tokens);
    const HeadMeasures head = sums.means();
    QCOMPARE(head.sink, 0.5);
    QCOMPARE(head.self, 0.25);
    QCOMPARE(head.previous, 0.25);
    QCOMPARE(*head.duplicate, 0 - 0.25);  // token 1 is equal, one of four keys
    QCOMPARE(*head.induction, 0.0);       // a quarter on token 2, after it
    QVERIFY(std::abs(head.entropy - 0.5 * std::log(2.0) - 0.5 * std::log(4.0)) < 1e-12);
    QCOMPARE(head.within, (std::vector<double>{0.5, 1, 1}));
    QCOMPARE(head.reach().value_or(0), Index{2});
  }

  void planted_patterns_are_told() {
    const QTemporaryDir folder;
    write_capture(folder);
    const auto capture = Capture::open(folder.path().toStdString());
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    const auto heads = heads_of(*capture, {}, 0, 64, {});
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->heads.size(), planted_heads().size());
    for (std::size_t i = 0; i < planted_heads().size(); ++i)
      QCOMPARE(std::string(name_of(heads->heads[i].role)), std::string(name_of(planted_heads()[i].first)));
    QCOMPARE(heads_map(*heads), std::string("layer   4  sopidlr\n"));
    QCOMPARE(heads->source, std::string("softmax of scores"));
    QVERIFY(sentences_of(*heads).front().ends_with(" of 7 heads need more than 64 tokens"));
  }

  /// q · k / √d with the causal rule gives the weights that were stored.
  void products_are_the_stored_weights() {
    constexpr Index rows = 96, dims = 4;
    std::vector<double> q, k, weights;
    for (Index i = 0; i < rows * dims; ++i) {
      q.push_back(static_cast<double>((7 * i) % 11) / 4);
      k.push_back(static_cast<double>((5 * i) % 13) / 4);
    }
    for (Index query = 0; query < rows; ++query) {
      std::vector<double> row;
      double sum = 0;
      for (Index key = 0; key < rows; ++key) {
        double product = 0;
        for (Index d = 0; d < dims; ++d)
          product += q[static_cast<std::size_t>(query * dims + d)] * k[static_cast<std::size_t>(key * dims + d)];
        row.push_back(key <= query ? std::exp(product / 2) : 0);
        sum += row.back();
      }
      for (const double each : row) weights.push_back(each / sum);
    }
    const auto stored = of_one_head({{"weights", {1, 1, rows, rows}, weights}});
    const auto made = of_one_head({{"q", {1, 1, rows, dims}, q}, {"k", {1, 1, rows, dims}, k}});
    QVERIFY(std::abs(stored.sink - made.sink) < 1e-5);
    QVERIFY(std::abs(stored.entropy - made.entropy) < 1e-4);
    for (std::size_t i = 0; i < stored.within.size(); ++i) QVERIFY(std::abs(stored.within[i] - made.within[i]) < 1e-5);
  }

  void what_has_no_attention_is_refused() {
    const QTemporaryDir folder;
    write(folder, "layer0.safetensors", {{"v", {1, 1, 4, 4}, std::vector<double>(16, 1.0)}});
    const auto capture = Capture::open(folder.path().toStdString());
    QVERIFY(capture);
    QCOMPARE(heads_of(*capture, {}, 0, 64, {}).error().message,
             folder.path().toStdString() + " has no attention weights, no scores, and no q and k");
  }
};

VQSCOPE_TEST(HeadMeasuresTest)
#include "head_measures_test.moc"
