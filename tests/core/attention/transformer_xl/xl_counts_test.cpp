// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/methods.h"
#include "core/attention/transformer_xl/xl_parameters.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

/// The definition: from the loss down, layer by layer.
double walked_pairs(const XlGradient& gradient, Index segment, bool stop_gradient) {
  std::set<std::pair<Index, Index>> reached{{gradient.layers, segment}};
  for (Index layer = gradient.layers; layer > 0; --layer)
    for (Index from = 0; from <= segment; ++from)
      if (reached.contains({layer, from}))
        for (Index hop = 0; hop <= (stop_gradient ? 0 : gradient.memory_segments) && hop <= from; ++hop)
          reached.insert({layer - 1, from - hop});
  return static_cast<double>(reached.size());
}

/// The definition: segment by segment.
double summed_scores(const XlSegments& segments, Index tokens) {
  double scores = 0;
  for (Index begin = 0; begin < tokens; begin += segments.segment_len) {
    const Index own = std::min(segments.segment_len, tokens - begin);
    scores += static_cast<double>(own * (own + std::min(begin, segments.memory_len)));
  }
  return scores;
}

CurveSet curves_of_method(const Method& method, const ParameterValues::Map& set) {
  return make_curves(method, default_values(method.parameters, set)).value();
}

}  // namespace

class XlCountsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Two layers, a memory of one segment: the loss of segment 2 reaches 1 + 2 + 3 pairs, that of
  /// segment 1 1 + 2 + 2.
  void pairs_by_hand() {
    const XlGradient gradient{.layers = 2, .memory_segments = 1};
    QCOMPARE(gradient.pairs(2, false), 6.0);
    QCOMPARE(gradient.pairs(1, false), 5.0);
    QCOMPARE(gradient.pairs(0, false), 3.0);
    QCOMPARE(gradient.pairs(9, false), 6.0);
    QCOMPARE(gradient.pairs(9, true), 3.0);
    QCOMPARE(gradient.all_pairs(4, false), 3.0 + 5 + 6 + 6);
    QCOMPARE(gradient.all_pairs(4, true), 12.0);
    QCOMPARE(gradient.square(1), 4.0);
    QCOMPARE(gradient.square(7), 9.0);
  }

  void pairs_agree_with_a_walk() {
    for (Index layers = 1; layers <= 6; ++layers)
      for (Index memory = 0; memory <= 4; ++memory) {
        const XlGradient gradient{.layers = layers, .memory_segments = memory};
        double all = 0;
        for (Index segment = 0; segment < 30; ++segment) {
          QCOMPARE(gradient.pairs(segment, false), walked_pairs(gradient, segment, false));
          QCOMPARE(gradient.pairs(segment, true), walked_pairs(gradient, segment, true));
          QCOMPARE(gradient.all_pairs(segment + 1, false), all += gradient.pairs(segment, false));
        }
      }
  }

  /// As many layers as segments: (N/n)³ up to a constant without, N/n times the layers with
  /// stop-gradient.
  void growth() {
    const auto total = [](Index segments, bool stop) {
      return XlGradient{.layers = 4096, .memory_segments = 1}.all_pairs(segments, stop);
    };
    QVERIFY(total(200, true) == 2 * total(100, true));
    const auto box = [](Index segments) {
      double sum = 0;
      for (Index s = 0; s < segments; ++s) sum += XlGradient{.layers = 4096, .memory_segments = 1}.square(s);
      return sum;
    };
    QVERIFY(std::abs(box(2000) / box(1000) - 8) < 0.02);
    QCOMPARE(box(10), 385.0);  // 1 + 4 + ... + 100
  }

  void scores_agree_with_all_segments() {
    for (Index segment_len = 1; segment_len <= 5; ++segment_len)
      for (Index memory_len = 0; memory_len <= 12; ++memory_len) {
        const XlSegments segments{.length = 60, .segment_len = segment_len, .memory_len = memory_len};
        for (Index tokens = 1; tokens <= 60; ++tokens)
          QCOMPARE(xl_scores(segments, tokens), summed_scores(segments, tokens));
      }
  }

  /// 2n × 2n in the source: n queries of a segment and the memory's n, whose rows are not computed
  /// again.
  void costs() {
    const Method method = xl_costs_method();
    const auto scores = curves_of_method(method, {{"quantity", std::string("scores")},
                                                  {"q_length", Index{40}},
                                                  {"segment_len", Index{4}},
                                                  {"memory_len", Index{4}}});
    QCOMPARE(scores.curves[0].y.back(), 1600.0);
    QCOMPARE(scores.curves[1].y.back(), 16.0 + 9 * 32);
    const auto memory = curves_of_method(method, {{"quantity", std::string("memory")},
                                                  {"q_length", Index{40}},
                                                  {"segment_len", Index{4}},
                                                  {"memory_len", Index{4}},
                                                  {"layers", Index{3}},
                                                  {"num_heads", Index{2}},
                                                  {"head_dim", Index{5}}});
    QCOMPARE(memory.curves[1].y.back(), 4.0 * (2 * 4 * 8 + 3 * 2 * 5 * 8));
    QCOMPARE(memory.curves[0].y.back(), 4.0 * (2 * 40 * 40 + 3 * 2 * 5 * 40));
    const auto& late = memory.curves[1].y;
    QCOMPARE(late[late.size() - 5], late.back());  // bounded
  }

  void two_million_tokens() {
    const auto set = curves_of_method(xl_gradient_paths_method(), {{"q_length", Index{2097152}}});
    QCOMPARE(set.x.back(), 4096.0);
    QCOMPARE(set.curves[1].y.back(), 4096.0 * 13);
    QCOMPARE(set.marks.front().x, 13.0);
  }

  void bad_input() {
    ParameterValues values = default_values(xl_gradient_paths_method().parameters);
    values.set("segment_len", Index{10000});
    COMPARE_ERROR(make_curves(xl_gradient_paths_method(), values),
                  "segment_len is 10000 but must be 1 to 8192, the number of tokens");
    values.set("segment_len", Index{1});
    values.set("q_length", Index{1} << 22);
    COMPARE_ERROR(make_curves(xl_gradient_paths_method(), values),
                  "q_length 4194304 has 4194304 segments of 1 but must have at most 2097152");
  }
};

VQSCOPE_TEST(XlCountsTest)
#include "xl_counts_test.moc"
