// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"
#include "core/base/random.h"
#include "core/capture/parity/difference_map.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/method/shared/number_type.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index heads = 4, groups = 2, tokens = 24, dims = 8;

/// A layer computed here, apart from the code under test.
struct Planted {
  double theta = 10000;
  double offset = 0;
  double scale = 1 / std::sqrt(8.0);
  double softcap = 0;
  std::vector<int> axis;  ///< of each pair, where a picture's rows have three positions
  bool interleaved = false;
  bool deals_heads = false;
  std::function<bool(Index, Index)> sees = [](Index q, Index k) { return k <= q; };
  std::vector<std::string> kept{"q", "k", "v", "out"};
  const char* cast = nullptr;  ///< of every tensor
  bool rounds_k = false;       ///< to bfloat16
  double noise = 0;            ///< of k's weights
  bool turns = true;
  std::string odd;  ///< a tensor of another shape, with the numbers of a seed
  std::vector<Index> odd_shape;
  std::uint64_t odd_seed = 0;
  std::function<double(Index head, Index distance)> bias = [](Index, Index) { return 0.0; };
};

std::vector<double> random_numbers(Index count, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(random.normal());
  return values;
}

/// Of text with a picture of 3 by 4 between.
double picture_position(Index row, int axis) {
  constexpr Index begin = 6, wide = 4, size = 12;
  if (row < begin) return static_cast<double>(row);
  if (row >= begin + size) return static_cast<double>(row - size + wide);
  const Index down = (row - begin) / wide, across = (row - begin) % wide;
  return static_cast<double>(begin + (axis == 0 ? 0 : axis == 1 ? down : across));
}

std::vector<double> rotated(std::vector<double> x, const Planted& planted) {
  if (!planted.turns) return x;
  for (std::size_t row = 0; row < x.size() / dims; ++row)
    for (std::size_t pair = 0; pair < dims / 2; ++pair) {
      const auto token = static_cast<Index>(row % tokens);
      const double position = planted.axis.empty() ? static_cast<double>(token) + planted.offset
                                                   : picture_position(token, planted.axis[pair]);
      const double angle = position * std::pow(planted.theta, -2.0 * static_cast<double>(pair) / dims);
      double& one = x[row * dims + (planted.interleaved ? 2 * pair : pair)];
      double& two = x[row * dims + (planted.interleaved ? 2 * pair + 1 : pair + dims / 2)];
      const double u = one, v = two;
      one = u * std::cos(angle) - v * std::sin(angle);
      two = v * std::cos(angle) + u * std::sin(angle);
    }
  return x;
}

std::vector<NamedTensor> layer_of(const Planted& planted) {
  std::vector<double> q = random_numbers(heads * tokens * dims, 1), k = random_numbers(groups * tokens * dims, 2);
  std::vector<double> v = random_numbers(groups * tokens * dims, 3);
  for (double& value : k) value *= 1 + planted.noise * std::sin(1000 * value);
  if (planted.rounds_k)
    for (double& value : k) value = number_type("bfloat16").rounded(value);
  const std::vector<double> q_rot = rotated(q, planted), k_rot = rotated(k, planted);
  std::vector<double> weights(heads * tokens * tokens), out(heads * tokens * dims);
  for (Index h = 0; h < heads; ++h)
    for (Index t = 0; t < tokens; ++t) {
      const Index g = planted.deals_heads ? h % groups : h / (heads / groups);
      double* row = &weights[static_cast<std::size_t>((h * tokens + t) * tokens)];
      double sum = 0;
      for (Index key = 0; key < tokens; ++key) {
        double score = 0;
        for (Index d = 0; d < dims; ++d)
          score += q_rot[static_cast<std::size_t>((h * tokens + t) * dims + d)] *
                   k_rot[static_cast<std::size_t>((g * tokens + key) * dims + d)];
        score *= planted.scale;
        if (planted.softcap > 0) score = planted.softcap * std::tanh(score / planted.softcap);
        score += planted.bias(h, key - t);
        sum += row[key] = planted.sees(t, key) ? std::exp(score) : 0;
      }
      for (Index key = 0; key < tokens; ++key) {
        row[key] /= sum;
        for (Index d = 0; d < dims; ++d)
          out[static_cast<std::size_t>((h * tokens + t) * dims + d)] +=
              row[key] * v[static_cast<std::size_t>((g * tokens + key) * dims + d)];
      }
    }
  const NamedTensor all[]{{"q", {1, heads, tokens, dims}, q},          {"k", {1, groups, tokens, dims}, k},
                          {"v", {1, groups, tokens, dims}, v},         {"q_rot", {1, heads, tokens, dims}, q_rot},
                          {"k_rot", {1, groups, tokens, dims}, k_rot}, {"weights", {1, heads, tokens, tokens}, weights},
                          {"out", {1, heads, tokens, dims}, out}};
  std::vector<NamedTensor> kept;
  for (const NamedTensor& tensor : all) {
    if (std::find(planted.kept.begin(), planted.kept.end(), tensor.name) == planted.kept.end()) continue;
    std::vector<float> values;
    if (tensor.name == planted.odd) {
      const Index count = std::reduce(planted.odd_shape.begin(), planted.odd_shape.end(), Index{1}, std::multiplies());
      for (const double value : random_numbers(count, planted.odd_seed)) values.push_back(static_cast<float>(value));
      kept.push_back({tensor.name, planted.odd_shape, std::move(values)});
      continue;
    }
    for (const double value : std::get<std::vector<double>>(tensor.values))
      values.push_back(static_cast<float>(planted.cast ? number_type(planted.cast).rounded(value) : value));
    kept.push_back({tensor.name, tensor.shape, std::move(values)});
  }
  return kept;
}

}  // namespace

/// Two captures with a planted cause: the verdict, the place and the cause.
class ParityTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static Capture capture_of(const QTemporaryDir& folder, const Planted& planted, const char* config) {
    StringSink sink;
    if (!write_safetensors(layer_of(planted), sink)) return {};
    writtenFile(folder, "layer000.safetensors", QByteArray::fromStdString(sink.text()));
    writtenFile(folder, "capture.json", QByteArray(R"({"format": 1, "config": )") + config + "}");
    auto capture = Capture::open(folder.path().toStdString());
    return capture ? std::move(*capture) : Capture{};
  }

  static Parity compared(const Planted& a, const Planted& b, const char* config) {
    const QTemporaryDir folder_a, folder_b;
    const Capture one = capture_of(folder_a, a, config), two = capture_of(folder_b, b, config);
    auto parity = parity_of(one, two, {});
    if (!parity) return {};
    return std::move(*parity);
  }

  static constexpr const char* plain_config =
      R"({"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "rope_theta": 10000.0})";

 private slots:
  void equal_and_noise() {
    QCOMPARE(compared({}, {}, plain_config).comparison.verdict, ParityVerdict::equal);
    for (const char* type : {"bfloat16", "float16"}) {
      Planted cast;
      cast.cast = type;
      const Parity noisy = compared({}, cast, plain_config);
      QCOMPARE(noisy.comparison.verdict, ParityVerdict::noise);
      QCOMPARE(noisy.sentence, std::string("the captures differ by the noise of ") + type + " only");
    }
  }

  void causes_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"rope_theta", "rope_layout", "softmax_scale", "gqa_mapping", "window_size",
                             "window_ignored", "position_offset", "softcap_missing"})
      QTest::newRow(what) << what;
  }
  void causes() {
    QFETCH(QString, what);
    for (const char* cast : {static_cast<const char*>(nullptr), "bfloat16"}) {
      Planted a, b;
      b.cast = cast;
      QByteArray config = plain_config;
      const auto tell = [&](const char* more) { config.replace("}", QByteArray(", ") + more + "}"); };
      const auto window = [](Index size) { return [size](Index q, Index k) { return k <= q && q - k < size; }; };
      if (what == "rope_theta") b.theta = 500000;
      if (what == "rope_layout") b.interleaved = true;
      if (what == "softmax_scale") b.scale = 1.0 / 8;
      if (what == "gqa_mapping") b.deals_heads = true;
      if (what.startsWith("window")) tell("\"sliding_window\": 9"), a.sees = window(9);
      if (what == "window_size") b.sees = window(10);
      if (what == "position_offset") b.offset = 2, a.kept = b.kept = {"q", "k", "q_rot", "k_rot"};
      if (what == "softcap_missing") tell("\"attn_logit_softcapping\": 1.0"), a.softcap = 1;
      const Parity parity = compared(a, b, config);
      QCOMPARE(parity.comparison.verdict, ParityVerdict::differs);
      QVERIFY2(parity.cause, qPrintable(what));
      QCOMPARE(QString::fromStdString(parity.cause->id), what);
      QVERIFY(parity.cause->explained > 0.99);
    }
  }

  void the_place_is_the_first_cell() {
    Planted b;
    b.sees = [](Index q, Index k) { return k <= q && q - k < 6; };
    b.kept = {"weights"};
    Planted a;
    a.kept = {"weights"};
    const Parity parity = compared(a, b, plain_config);
    const std::array<Index, 4> first{0, 0, 6, 0};
    QCOMPARE(parity.comparison.first->cell.at, first);
    QCOMPARE(parity.cause->id, std::string("window_size"));
    QCOMPARE(parity.sentence, std::string("A's window is 0 keys, B's is 6"));
    QCOMPARE(cause_call(*parity.cause).substr(0, 46),
             std::string("A: \"sliding_window\": 0\nB: \"sliding_window\": 6\n"));
    const std::string json = indented_json(parity_json(parity));
    QVERIFY(json.find("\"verdict\": \"differs\"") != std::string::npos);
  }

  void the_map_shows_the_cells_that_differ() {
    Planted a, b;
    a.kept = b.kept = {"weights"};
    b.sees = [](Index q, Index k) { return k <= q && q - k < 6; };
    const QTemporaryDir folder_a, folder_b;
    const Capture one = capture_of(folder_a, a, plain_config), two = capture_of(folder_b, b, plain_config);
    const auto comparison = compared_captures(one, two, {});
    const auto map = difference_map(one, two, *comparison);
    QVERIFY2(map, map ? "" : map.error().message.c_str());
    QCOMPARE(map->grid_rows, tokens);
    QCOMPARE(map->grid_columns, tokens);
    const auto differs = [&](Index row, Index key) {
      return map->grid[static_cast<std::size_t>(row * tokens + key)] != 0;
    };
    QVERIFY(!differs(5, 0) && differs(6, 0) && differs(6, 6) && !differs(6, 7));
    QCOMPARE(map->row_b.front(), 0.0F);
    QVERIFY(map->row_a.front() > 0);
    QCOMPARE(std::ssize(map->row_a), tokens);
  }

  void the_rotation_of_a_is_read_from_its_tensors() {
    Planted a, b;
    a.theta = 30000;
    b.theta = 10000;
    a.kept = b.kept = {"q", "k", "q_rot", "k_rot"};
    const Parity parity = compared(a, b, "null");
    QVERIFY2(parity.cause, parity.sentence.c_str());
    QCOMPARE(parity.sentence, std::string("rope_theta is 30000 in A, 10000 in B"));
    // Columns 1 and 5 turn together; pair 0 turns alike.
    QCOMPARE(parity.comparison.first->cell.at[3], Index{1});
    QCOMPARE(parity.pair.value_or(-1), Index{1});
  }

  void axes_of_positions_are_read_from_tensors() {
    Planted a, b;
    a.axis = {0, 0, 1, 2};
    b.axis = {0, 0, 2, 1};
    a.theta = b.theta = 16;
    a.kept = b.kept = {"q", "k", "q_rot", "k_rot"};
    const Parity parity = compared(a, b, R"({"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
      "rope_parameters": {"rope_type": "mrope", "rope_theta": 16.0, "mrope_section": [2, 1, 1]}})");
    QVERIFY2(parity.cause, parity.sentence.c_str());
    QCOMPARE(parity.cause->id, std::string("mrope_sections"));
  }

  void a_cause_may_lie_in_a() {
    Planted cast;
    cast.rounds_k = true;
    const Parity parity = compared(cast, {}, plain_config);
    QVERIFY2(parity.cause, parity.sentence.c_str());
    QCOMPARE(parity.sentence, std::string("A rounds k to bf16"));
    QVERIFY(parity.cause->explained > 0.99);
    const std::string json = indented_json(parity_json(parity));
    QVERIFY(json.find("\"departs\": \"a\"") != std::string::npos);
    QCOMPARE(compared({}, cast, plain_config).sentence, std::string("B rounds k to bf16"));
    const TriedCause factor{"attention_factor_missing", {{"a", 1.2}, {"b", 1.0}}, 1, 1, true};
    QCOMPARE(cause_sentence(factor), std::string("A leaves out the attention factor of RoPE: 1.2 in B, 1 in A"));
  }

  /// Neither scores nor weights are kept.
  void a_bias_is_fitted_to_out() {
    const auto bucketed = [](bool bidirectional) {
      return [=, table = random_numbers(32 * heads, 9)](Index head, Index distance) {
        const T5Buckets buckets{32, 128, bidirectional};
        return table[static_cast<std::size_t>(buckets.bucket(distance) * heads + head)];
      };
    };
    Planted a, b;
    a.turns = b.turns = false;
    a.bias = bucketed(false);
    b.bias = bucketed(true);
    const Parity parity = compared(a, b, R"({"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8})");
    QVERIFY2(parity.cause, parity.sentence.c_str());
    QCOMPARE(parity.sentence, std::string("bidirectional is false in A, true in B for T5's buckets"));
    QVERIFY(parity.cause->explained > 0.98);
    // A window is no bias.
    const auto window = [](Index size) { return [size](Index q, Index k) { return k <= q && q - k < size; }; };
    Planted near, far;
    near.turns = far.turns = false;
    near.sees = window(7);
    far.sees = window(9);
    QCOMPARE(compared(near, far, "null").sentence, std::string("A's window is 7 keys, B's is 9"));
  }

  void no_cause_is_claimed_where_the_way_of_a_is_not_known() {
    Planted a;
    a.theta = 123;  // nothing tells it
    QCOMPARE(compared(a, {}, "null").cause->id, std::string("rope_theta"));
    Planted b;
    b.theta = 35;
    a.softcap = 1;
    b.softcap = 2;
    const Parity parity = compared(a, b, "null");
    QCOMPARE(parity.comparison.verdict, ParityVerdict::differs);
    QVERIFY2(!parity.cause, parity.sentence.c_str());
    QVERIFY(std::ranges::any_of(parity.undetermined, [](const std::string& each) {
      return each == "how A computes is not told by its tensors and config: a cause cannot be tried on it";
    }));
  }

  void a_tensor_of_other_sizes_is_compared_but_not_made_data() {
    QTest::addColumn<QString>("role");
    QTest::addColumn<QList<int>>("shape");
    QTest::newRow("keys of fewer columns") << "k" << QList<int>{1, 2, 24, 6};
    QTest::newRow("values of more heads") << "v" << QList<int>{1, 3, 24, 8};
    QTest::newRow("queries of two sequences") << "q_rot" << QList<int>{2, 4, 24, 8};
    QTest::newRow("more keys than weights") << "k_rot" << QList<int>{1, 2, 30, 8};
    QTest::newRow("weights of one head") << "weights" << QList<int>{1, 1, 24, 24};
    QTest::newRow("weights of fewer keys") << "weights" << QList<int>{1, 4, 24, 20};
    QTest::newRow("out of fewer rows") << "out" << QList<int>{1, 4, 9, 8};
  }
  void a_tensor_of_other_sizes_is_compared_but_not_made() {
    QFETCH(const QString, role);
    QFETCH(const QList<int>, shape);
    Planted a;
    a.kept = {"q", "k", "v", "q_rot", "k_rot", "weights", "out"};
    a.odd = role.toStdString();
    a.odd_shape.assign(shape.begin(), shape.end());
    a.odd_seed = 4;
    Planted b = a;
    b.odd_seed = 5;
    const Parity parity = compared(a, b, "null");
    QCOMPARE(parity.comparison.verdict, ParityVerdict::differs);
    QCOMPARE(name_of(parity.comparison.first->role), std::string_view(a.odd));
    QVERIFY2(!parity.cause, parity.sentence.c_str());
  }

  void other_weights_are_no_cause_of_attention() {
    Planted b;
    b.noise = 0.3;
    const Parity parity = compared({}, b, plain_config);
    QCOMPARE(parity.cause->id, std::string("weights_differ"));
    QCOMPARE(parity.sentence, std::string("the inputs agree but a projection does not: the weights of [\"k\"] differ"));
  }
};

VQSCOPE_TEST(ParityTest)
#include "parity_test.moc"
