// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_words.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

QString thetaOf(double theta) {
  LayerSchedule schedule;
  schedule.ropes.emplace_back().scaling.rope_theta = theta;
  schedule.layers.push_back({.rope = 0});
  return thetaWords(schedule, schedule.layers[0]);
}

}  // namespace

class LayerWordsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masks() {
    QCOMPARE(maskWords({}), "full");
    QCOMPARE(maskWords({.attention = LayerAttention::sliding, .window = 1024}), "window 1\u202f024");
    QCOMPARE(maskWords({.attention = LayerAttention::sparse, .topk = 2048}), "sparse, top 2\u202f048");
    QCOMPARE(maskWords({.attention = LayerAttention::compressed, .window = 128, .compress_ratio = 4, .topk = 512}),
             "compressed 1:4, top 512, window 128");
  }

  /// Numbers beyond 2^63 are not converted to integers.
  void numbers_of_any_size() {
    QCOMPARE(thetaOf(500000), "500\u202f000");
    QCOMPARE(thetaOf(10000.5), "10000.5");
    QCOMPARE(thetaOf(1e30), "1e+30");
    QCOMPARE(thetaOf(1e300), "1e+300");
  }

  void tip_describes_sparse_selection() {
    LayerSchedule schedule;
    schedule.layers.push_back({.attention = LayerAttention::sparse, .topk = 2048, .index_dim = 128});
    const QString tip = layerTip(schedule, 0, 4096);
    QVERIFY(tip.contains("Which earlier keys a query reads depends on the text"));
    QVERIFY(tip.contains("Indexer: 128 numbers for each entry"));
  }
};

VQSCOPE_TEST(LayerWordsTest)
#include "layer_words_test.moc"
