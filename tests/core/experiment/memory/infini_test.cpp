// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues::Map small_infini(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{{"q_length", Index{40}}, {"segment_len", Index{8}}, {"d_v", Index{6}}, {"d_k", Index{5}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

ParameterValues::Map small_capacity(const ParameterValues::Map& set = {}) {
  auto values = small_infini(set);
  values.erase("d_k");
  values.insert({"head_dims", std::vector<Index>{4, 16}});
  return values;
}

const Method& infini_method(const char* id) { return *find_method(experiment_methods(), id); }

}  // namespace

class InfiniTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// One pair is read as it was stored; more pairs mix.
  void error_rises_with_the_number_of_pairs() {
    const auto set = *curves_of("infini_capacity", small_capacity());
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{1, 2, 4, 8, 16, 32, 40}));
    QCOMPARE(set.curves.size(), std::size_t{6});
    QCOMPARE(set.marks.size(), std::size_t{2});
    for (const auto& curve : set.curves) {
      QVERIFY(curve.y.front() < 1e-5);
      QVERIFY(curve.y[2] > 0.3 && curve.y.back() > 0.7);
    }
    const auto cosine = *curves_of("infini_capacity", small_capacity({{"capacity_quantity", std::string("cosine")}}));
    for (const auto& curve : cosine.curves) QVERIFY(near(curve.y.front(), 1, 1e-9) && curve.y.back() < 0.6);
    // Within the first segment there is nothing to subtract.
    for (std::size_t i = 0; i < 4; ++i) QCOMPARE(curve_of(set, "delta_d_k_4").y[i], curve_of(set, "linear_d_k_4").y[i]);
    QVERIFY(curve_of(set, "delta_d_k_4").y[4] != curve_of(set, "linear_d_k_4").y[4]);
  }

  /// σ(k) are (9, 1) and (1, 9): z = (10, 10), M = (9·2 + 1·4, 1·2 + 9·4).
  void read_out_by_hand() {
    const std::vector<float> keys{8, 0, 0, 8}, values{2, 4};
    InfiniMemory memory(2, 1);
    memory.write(matrix_of(keys, 2), matrix_of(values, 1), InfiniRule::linear);
    const ReadOut read = read_out(memory, keys.data(), values.data());
    QVERIFY(near(read.error, ((9 * 22 + 38) / 100.0 - 2) / 2, 1e-6));
    QVERIFY(near(read.cosine, 1, 1e-12));
    const float nothing = 0;
    QCOMPARE(read_out(memory, keys.data(), &nothing).error, 0.0);
  }

  void read_outs_begin_with_the_pairs_own_segment() {
    const auto values = small_infini({{"pair", Index{17}}, {"followed", std::string("pair")}});
    const auto set = *curves_of("infini_readout", values);
    QCOMPARE(set.x, (std::vector<double>{1, 2, 3, 4, 5}));
    QCOMPARE(set.curves.size(), std::size_t{3});
    for (const auto& curve : set.curves) {
      QVERIFY(std::isnan(curve.y[0]) && std::isnan(curve.y[1]));
      for (std::size_t i = 2; i < 5; ++i) QVERIFY(std::abs(curve.y[i]) <= 1);
    }
    // The same as the memory's own answer.
    const auto setting = *memory_setting(curve_values("infini_readout", values));
    const MemoryTokens tokens = memory_tokens(setting);
    InfiniMemory memory(5, 6);
    for (Index segment = 0; segment < 4; ++segment)
      store_segment(setting, tokens, segment, InfiniRule::delta, {}, memory);
    QCOMPARE(curve_of(set, "delta").y[3],
             read_out(memory, tokens.keys.data() + 17 * 5, tokens.values.data() + 17 * 6).cosine);
  }

  /// The first segment has no memory; a gate of 20 leaves local attention nothing.
  void shares_of_the_output() {
    const auto fraction = [](double beta, const char* polarity) {
      return *curves_of("infini_readout", small_infini({{"readout_quantity", std::string("memory_share")},
                                                        {"beta", beta},
                                                        {"polarity", std::string(polarity)}}));
    };
    const auto paper = fraction(20, "paper"), other = fraction(-20, "lucidrains");
    COMPARE_TEXT(incomplete(paper), "");
    QCOMPARE(paper.x, (std::vector<double>{0, 1, 2, 3, 4}));
    for (const auto& curve : paper.curves) QVERIFY(curve.y[0] == 0 && curve.y[1] > 0.999 && curve.y[4] > 0.999);
    for (std::size_t i = 1; i < 5; ++i) QVERIFY(near(paper.curves[0].y[i], other.curves[0].y[i], 1e-9));
    const auto local = fraction(20, "lucidrains");
    for (const double y : local.curves[0].y) QVERIFY(y < 0.001);
  }

  /// The state after two segments is the one that two segments store.
  void the_matrix_fills_segment_by_segment() {
    auto values = curve_values("infini_memory", small_infini({{"segments", Index{2}}}));
    const auto setting = *memory_setting(values);
    const MemoryTokens tokens = memory_tokens(setting);
    InfiniMemory memory(5, 6);
    for (Index segment = 0; segment < 2; ++segment)
      store_segment(setting, tokens, segment, InfiniRule::linear, {}, memory);
    const auto two = *make_field(infini_method("infini_memory"), values);
    QCOMPARE(two->extent(), (Extent{5, 6}));
    COMPARE_TEXT(read_differs(*two, {{1, 4}, {0, 6}}), "");
    for (Index row = 0; row < 5; ++row)
      for (Index col = 0; col < 6; ++col)
        QCOMPARE(two->at(row, col),
                 static_cast<double>(static_cast<float>(memory.matrix()[static_cast<std::size_t>(row * 6 + col)])));
    values.set("segments", Index{3});
    const auto three = *make_field(infini_method("infini_memory"), values);
    QCOMPARE(three->value_range(), two->value_range());
    values.set("stored", std::string("change"));
    const auto change = *make_field(infini_method("infini_memory"), values);
    QVERIFY(near(change->at(2, 3), three->at(2, 3) - two->at(2, 3), 1e-6));
    values.set("stored", std::string("normalised"));
    const auto normalised = *make_field(infini_method("infini_memory"), values);
    QVERIFY(normalised->value_range().second < 3);  // a mean of values
    QVERIFY(normalised->report(2, 3).why.find("24 pairs of 3 segments are in the memory: ") == 0);
  }

  /// Fewer segments: the slider ends at the last one.
  void the_slider_follows_the_number_of_segments() {
    const Method& method = infini_method("infini_memory");
    auto values = default_values(method.parameters);
    QCOMPARE(values.integer("segments"), Index{8});
    const auto former = parameters_of(method, values);
    values.set("q_length", Index{256});
    QCOMPARE(completed_values(parameters_of(method, values), values, former).integer("segments"), Index{2});
    QVERIFY(find_spec(parameters_of(method, values), "segments")->playable);
    values.set("segments", Index{3});
    COMPARE_ERROR(make_field(method, values), "segments is 3 but must be an integer from 1 to 2");
  }

  void progress_parts_and_stops() {
    COMPARE_TEXT(wrong_parts(reported_sets("infini_capacity", small_capacity()), 7), "");
    COMPARE_TEXT(wrong_parts(reported_sets("infini_readout", small_infini()), 3), "");
    QVERIFY(stops("infini_capacity", small_capacity()));
    QVERIFY(stops("infini_readout", small_infini()));
    QVERIFY(stops("infini_readout", small_infini({{"readout_quantity", std::string("memory_share")}})));
    std::stop_source source;
    source.request_stop();
    QCOMPARE(
        make_field(infini_method("infini_memory"),
                   curve_values("infini_memory", small_infini({{"q_length", Index{65536}}})), {{}, source.get_token()})
            .error()
            .code,
        Errc::cancelled);
  }

  void bad_input() {
    COMPARE_ERROR(curves_of("infini_readout", small_infini({{"segment_len", Index{41}}})),
                  "segment_len is 41 but must be 1 to 40, the number of tokens");
    COMPARE_ERROR(curves_of("infini_readout", small_infini({{"segment_len", Index{0}}})),
                  "segment_len is 0 but must be an integer from 1 to 131072");
    COMPARE_ERROR(curves_of("infini_readout", small_infini({{"pair", Index{40}}})),
                  "pair is 40 but must be below 40, the number of tokens");
    COMPARE_ERROR(curves_of("infini_readout", small_infini({{"rules", std::vector<std::string>{}}})),
                  "rules is empty but must name one at least");
    COMPARE_ERROR(curves_of("infini_capacity", small_capacity({{"head_dims", std::vector<Index>{}}})),
                  "head_dims is empty but must name one at least");
    COMPARE_ERROR(make_field(infini_method("infini_memory"),
                             curve_values("infini_memory", {{"q_length", Index{65536}}, {"segment_len", Index{1}}})),
                  "65536 segments with d_k 64 and d_v 64 need 1.02 GiB but must be at most 256 MiB");
  }
};

VQSCOPE_TEST(InfiniTest)
#include "infini_test.moc"
