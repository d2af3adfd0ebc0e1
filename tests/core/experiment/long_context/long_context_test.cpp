// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/infini_attention.h"
#include "core/attention/memory/retrieval_attention.h"
#include "core/attention/memory/routing_attention.h"
#include "core/experiment/long_context/context_outputs.h"
#include "core/experiment/methods.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const ContextSizes sizes{.d_k = 4,
                         .d_v = 3,
                         .segment_len = 8,
                         .window = 6,
                         .sinks = 2,
                         .xl_memory_len = 5,
                         .compressed_len = 3,
                         .compression_rate = 2,
                         .memory_len = 16,
                         .top_k = 3,
                         .n_cluster = 4,
                         .n_code = 4,
                         .block_len = 4,
                         .layers = 3};

MemoryTokens some_tokens(Index length) {
  return memory_tokens({.q_length = length, .d_k = 4, .d_v = 3, .segment_len = 8, .seed = 3});
}

/// The first keys as codewords.
ContextCodebooks codewords_of(const MemoryTokens& tokens) {
  const std::vector<float> some(tokens.keys.begin(), tokens.keys.begin() + 16);
  return {some, some};
}

/// With b = β = 0 half of the output is local, half from the memory.
std::vector<double> output_of(const ContextOutputs& outputs, ContextSystem system, Index length) {
  ContextParts both = outputs.parts(system, length);
  for (std::size_t c = 0; c < both.memory.size(); ++c) both.local[c] = (both.local[c] + both.memory[c]) / 2;
  return both.local;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// softmax over the keys that `sees` takes, with `key(k)` in the place of key k: in double, without
/// blocks.
template <class Sees, class Key>
std::vector<double> defined(const MemoryTokens& tokens, Index newest, Sees sees, Key key) {
  std::vector<double> out(3, 0);
  double sum = 0;
  for (Index k = 0; k <= newest; ++k) {
    if (!sees(k)) continue;
    double score = 0;
    const float* other = key(k);
    for (Index c = 0; c < 4; ++c) score += double(tokens.queries[std::size_t(newest * 4 + c)]) * double(other[c]);
    sum += std::exp(score);
    for (Index c = 0; c < 3; ++c)
      out[std::size_t(c)] += std::exp(score) * double(tokens.values[std::size_t(k * 3 + c)]);
  }
  for (double& each : out) each /= sum;
  return out;
}

}  // namespace

class LongContextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 21 tokens in segments of 8: the newest is the fifth of the third.
  void costs_by_hand() {
    const auto cost = [](ContextSystem system) { return costs_of(system, sizes, 21); };
    QCOMPARE(cost(ContextSystem::full).operations, 2.0 * 21 * 7);
    QCOMPARE(cost(ContextSystem::full).bytes, 4.0 * 21 * 7);
    QCOMPARE(cost(ContextSystem::full).reach, 21.0);
    QCOMPARE(cost(ContextSystem::window).operations, 2.0 * 6 * 7);
    QCOMPARE(cost(ContextSystem::window).reach, 16.0);  // 1 + 3 · 5
    QCOMPARE(cost(ContextSystem::sinks).bytes, 4.0 * 8 * 7);
    QCOMPARE(cost(ContextSystem::sinks).reach, 18.0);
    QCOMPARE(cost(ContextSystem::transformer_xl).operations, 2.0 * (5 + 5) * 7);
    QCOMPARE(cost(ContextSystem::transformer_xl).reach, 21.0);
    QCOMPARE(cost(ContextSystem::compressive).bytes, 4.0 * (11 + 3) * 7);  // the newest 3 of 5 pairs; 10 to 20
    QCOMPARE(cost(ContextSystem::compressive).operations, 2.0 * (11 + 3) * 7);
    QCOMPARE(cost(ContextSystem::clustered).bytes, 4.0 * (21 * 7 + 4 * 4));
    QCOMPARE(cost(ContextSystem::clustered).operations, 2.0 * (5 + 16 / 4) * 7 + 4 * 4 * 4);
    QCOMPARE(cost(ContextSystem::memorizing).operations, 2.0 * 5 * 7 + 2 * 16 * 4 + 2 * 3 * 3);
    QCOMPARE(cost(ContextSystem::memorizing).bytes, 4.0 * (5 + 16) * 7);
    QCOMPARE(cost(ContextSystem::infini_linear).bytes, 4.0 * (5 * 7 + 4 * 4));
    QCOMPARE(cost(ContextSystem::infini_linear).operations, 2.0 * 5 * 7 + 2 * (2 * 4 * 4));
    QCOMPARE(cost(ContextSystem::infini_delta).operations, 2.0 * 5 * 7 + 3 * (2 * 4 * 4));
    QCOMPARE(cost(ContextSystem::vq).operations, 4.0 * 4 * 4 + 2 * (4 + 4) * 3);
    QCOMPARE(cost(ContextSystem::vq).reach, 21.0);
  }

  /// Full attention and clusters keep every key.
  void memory_without_bound() {
    for (const ContextSystemInfo& info : context_system_infos()) {
      const double near = costs_of(info.system, sizes, 4096).bytes, far = costs_of(info.system, sizes, 8192).bytes;
      QCOMPARE(far > near, info.system == ContextSystem::full || info.system == ContextSystem::clustered);
    }
  }

  void attention_to_some_keys() {
    const MemoryTokens tokens = some_tokens(40);
    ContextOutputs outputs(tokens, sizes, codewords_of(tokens));
    const auto own = [&](Index k) { return tokens.keys.data() + k * 4; };
    for (const Index length : {1, 5, 8, 9, 24, 37, 40}) {
      outputs.go_on_to(length, {});
      const Index newest = length - 1, begin = newest / 8 * 8;
      const auto compare = [&](ContextSystem system, auto sees) {
        QVERIFY(apart(output_of(outputs, system, length), defined(tokens, newest, sees, own)) < 1e-5);
      };
      compare(ContextSystem::full, [](Index) { return true; });
      compare(ContextSystem::window, [&](Index k) { return k > newest - 6; });
      compare(ContextSystem::sinks, [&](Index k) { return k > newest - 6 || k < 2; });
      compare(ContextSystem::transformer_xl, [&](Index k) { return k >= begin - 5; });
    }
  }

  /// As the reference implementations of the two memories give them.
  void memories() {
    const MemoryTokens tokens = some_tokens(40);
    ContextOutputs outputs(tokens, sizes, codewords_of(tokens));
    const MemoryInput input = tokens.input();
    const RetrievalOptions retrieval{.segment_len = 8, .memory_len = 16, .top_k = 3};
    const RetrievalDefinition memorizing(input, retrieval);
    const InfiniOptions linear{.segment_len = 8};
    InfiniOptions delta = linear;
    delta.rule = InfiniRule::delta;
    const auto by_delta = infini_attention(input, delta).value();
    for (const Index length : {3, 8, 9, 33, 40}) {
      outputs.go_on_to(length, {});
      QVERIFY(apart(output_of(outputs, ContextSystem::memorizing, length), memorizing.output(0, length - 1)) < 1e-5);
      QVERIFY(apart(output_of(outputs, ContextSystem::infini_linear, length),
                    define_infini_output(input, linear, 0, length - 1)) < 1e-5);
      const float* row = by_delta.values.data() + (length - 1) * 3;
      QVERIFY(apart(output_of(outputs, ContextSystem::infini_delta, length), {row, row + 3}) < 1e-5);
    }
  }

  /// As the definitions beside the papers give them.
  void compressed_and_routed_keys() {
    const MemoryTokens tokens = some_tokens(64);
    const auto books = codewords_of(tokens);
    const MemoryInput input = tokens.input();
    for (const Compression compression : {Compression::mean, Compression::maximum})
      for (const Index rate : {1, 2, 3}) {
        ContextSizes some = sizes;
        some.compression = compression;
        some.compression_rate = rate;
        ContextOutputs outputs(tokens, some, books);
        for (const Index length : {1, 8, 9, 23, 33, 64}) {
          outputs.go_on_to(length, {});
          QVERIFY(apart(output_of(outputs, ContextSystem::compressive, length),
                        define_compressive_output(input, some.compressive(), 0, length - 1)) < 1e-5);
          const auto routed = outputs.parts(ContextSystem::clustered, length).memory;
          const auto defined = define_routed_output(input, {books.centroids.data(), 4, 4, 4}, 8, 0, length - 1);
          QVERIFY(apart(routed.empty() ? std::vector<double>(3, 0) : routed, defined) < 1e-5);
        }
      }
  }

  void codewords_stand_for_keys() {
    const MemoryTokens tokens = some_tokens(40);
    const auto books = codewords_of(tokens);
    const auto& codewords = books.codewords;
    ContextOutputs outputs(tokens, sizes, books);
    const auto nearest = [&](Index k) {
      const float* best = codewords.data();
      double least = 1e30;
      for (Index code = 0; code < 4; ++code) {
        double distance = 0;
        for (Index c = 0; c < 4; ++c) {
          const double d = double(tokens.keys[std::size_t(k * 4 + c)]) - double(codewords[std::size_t(code * 4 + c)]);
          distance += d * d;
        }
        if (distance < least) {
          least = distance;
          best = codewords.data() + code * 4;
        }
      }
      return best;
    };
    for (const Index length : {1, 8, 9, 33, 40}) {
      outputs.go_on_to(length, {});
      QVERIFY(apart(output_of(outputs, ContextSystem::vq, length),
                    defined(
                        tokens, length - 1, [](Index) { return true; }, nearest)) < 1e-5);
    }
  }

  void every_quantity() {
    for (const char* quantity : {"error", "reach", "bytes", "operations", "seconds"}) {
      const auto set = *curves_of("long_context_costs", {{"quantity", std::string(quantity)},
                                                         {"q_length", Index{1024}},
                                                         {"task", std::string("far_fact")},
                                                         {"fact_distance", Index{512}}});
      COMPARE_TEXT(incomplete(set), "");
      QCOMPARE(set.x, (std::vector<double>{256, 512, 1024}));
      QCOMPARE(set.curves.size(), std::size_t(quantity == std::string("seconds") ? 30
                                              : quantity == std::string("error") ? 11
                                                                                 : 10));
    }
    QVERIFY(stops("long_context_costs", {}));
  }

  /// Systems that do not fit into memory are counted, and marked.
  void two_million_tokens_are_counted() {
    const auto set =
        *curves_of("long_context_costs", {{"quantity", std::string("bytes")}, {"q_length", Index{2097152}}});
    QCOMPARE(set.x.back(), 2097152.0);
    QCOMPARE(set.curves[0].y.back(), 4.0 * 128 * 2097152);
    const Method method = long_context_costs_method();
    ParameterValues values = default_values(method.parameters);
    QCOMPARE(method.remark(values, {}), std::string());
    values.set("q_length", Index{2097152});
    QVERIFY(method.remark(values, {}).starts_with("error is measured up to "));
  }

  void bad_input() {
    COMPARE_ERROR(curves_of("long_context_costs", {{"segment_len", Index{65536}}}),
                  "segment_len is 65536 but must be 1 to 32768, the number of tokens");
    COMPARE_ERROR(curves_of("long_context_costs", {{"top_k", Index{100}}, {"memory_len", Index{50}}}),
                  "top_k is 100 but must be 1 to 50, the keys in the memory");
    COMPARE_ERROR(curves_of("long_context_costs", {{"n_code", Index{65536}}, {"d_v", Index{4096}}}),
                  "n_code 65536, n_cluster 64, clusters 8 need 2.02 GiB but must be at most 256 MiB");
    COMPARE_ERROR(curves_of("long_context_costs", {{"systems", std::vector<std::string>{}}}),
                  "systems is empty but must have at least one system");
  }
};

VQSCOPE_TEST(LongContextTest)
#include "long_context_test.moc"
