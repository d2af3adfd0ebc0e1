// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/t5/t5_bucket.h"

#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class T5BiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void given_values() {
    // Four buckets, both directions: 0, -1 or farther; ahead 1, or farther.
    const ParameterValues::Map set{
        {"num_buckets", Index{4}}, {"max_distance", Index{2}}, {"bias_values", std::vector<double>{10, 20, 30, 40}}};
    QCOMPARE(value_at("t5_bias", 0, set), 10.0);
    QCOMPARE(value_at("t5_bias", -1, set), 20.0);
    QCOMPARE(value_at("t5_bias", -500, set), 20.0);
    QCOMPARE(value_at("t5_bias", 1, set), 40.0);
    COMPARE_TEXT(method_is_wrong("t5_bias", set), "");
    // Every head: bucket by bucket.
    auto heads = set;
    heads["num_heads"] = Index{2};
    heads["head"] = Index{1};
    heads["bias_values"] = std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8};
    QCOMPARE(value_at("t5_bias", 0, heads), 2.0);
    QCOMPARE(value_at("t5_bias", -7, heads), 4.0);
    QCOMPARE(value_at("t5_bias", 7, heads), 8.0);
  }

  /// A checkpoint's table [num_buckets, num_heads], of one head and of all.
  void a_table_from_a_file() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("bias.npy");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }";
    header += QByteArray(117 - header.size(), ' ') + '\n';
    file.write(QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header);
    for (const float number : {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F})
      file.write(reinterpret_cast<const char*>(&number), sizeof number);
    file.close();
    const ParameterValues::Map set{{"num_buckets", Index{4}},
                                   {"max_distance", Index{2}},
                                   {"num_heads", Index{2}},
                                   {"head", Index{1}},
                                   {"bias_tensor", path.toStdString()}};
    QCOMPARE(value_at("t5_bias", 0, set), 2.0);
    QCOMPARE(value_at("t5_bias", -7, set), 4.0);
    QCOMPARE(value_at("t5_bias", 7, set), 8.0);
    auto all = set;
    all.erase("head");
    const auto heads = *relative_result("t5_bias_heads", all);
    QCOMPARE(heads->extent(), (Extent{2, 4}));
    QCOMPARE(heads->at(0, 3), 7.0);
    QCOMPARE(heads->at(1, 0), 2.0);
    all["columns"] = std::string("distances");
    all["longest"] = Index{3};
    const auto distances = *relative_result("t5_bias_heads", all);
    QCOMPARE(distances->extent(), (Extent{2, 7}));
    QCOMPARE(distances->at(0, 3), 1.0);
    QCOMPARE(distances->at(1, 0), 4.0);
    QCOMPARE(distances->at(1, 6), 8.0);
    auto wrong = set;
    wrong["num_heads"] = Index{8};
    COMPARE_ERROR(
        relative_result("t5_bias", wrong),
        "bias_tensor = " + path.toStdString() + " is [4, 2] but must have num_heads = 8 columns: set num_heads to 2");
  }

  void heads_agree_with_single_heads() {
    const auto heads = *relative_result("t5_bias_heads", {{"columns", std::string("distances")}});
    for (const Index head : {0, 3, 7})
      for (const Index relative : {-150, -17, -1, 0, 5, 90})
        QCOMPARE(heads->at(head, 160 + relative), value_at("t5_bias", relative, {{"head", head}}));
    const Method& method = *find_method(encoding_methods(), "t5_bias_heads");
    QVERIFY(
        method.remark(default_values(method.parameters), {}).starts_with("num_buckets · num_heads = 32 · 8 = 256 "));
  }

  void values_follow_the_buckets() {
    std::vector<double> squares;
    for (int b = 0; b < 32; ++b) squares.push_back(b * b);
    const auto buckets = *make_field(*find_method(encoding_methods(), "t5_bucket"), relative_values("t5_bucket", {}));
    const auto field = relative_field("t5_bias", {{"bias_values", squares}});
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      const Index q = pick(random, 0, 511);
      const Index k = pick(random, 0, 511);
      QCOMPARE(field->at(q, k), buckets->at(q, k) * buckets->at(q, k));
    }
  }

  void drawn_values_depend_on_seed_and_head_alone() {
    const auto drawn = [](Index seed, Index head) {
      const auto field = relative_field("t5_bias", {{"seed", seed}, {"head", head}});
      std::vector<double> some;
      for (const Index d : {0, -1, -10, -100, 1, 10}) some.push_back(field->function().at(d));
      return some;
    };
    QCOMPARE(drawn(3, 2), drawn(3, 2));
    QVERIFY(drawn(3, 2) != drawn(4, 2) && drawn(3, 2) != drawn(3, 1));
    SeededRandom random(0);
    QCOMPARE(drawn(0, 0)[0], random.normal());
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 20000; ++i) {
      const double value = random.normal();
      sum += value;
      squares += value * value;
    }
    QVERIFY(std::abs(sum / 20000) < 0.03 && std::abs(squares / 20000 - 1) < 0.05);
    // The generator's published first number for seed 1234567.
    QCOMPARE(SeededRandom(1234567).bits(), std::uint64_t{6457827717110365317U});
  }

  void summaries_and_reads() {
    COMPARE_TEXT(method_is_wrong("t5_bias"), "");
    COMPARE_TEXT(method_is_wrong("t5_bias", {{"bidirectional", false}, {"num_buckets", Index{7}}}), "");
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("t5_bias", -20), "k is 20 behind q: bucket 10, whose value for head 0 was sampled from seed");
    COMPARE_ERROR(relative_result("t5_bias", {{"bias_values", std::vector<double>{1, 2, 3}}}),
                  "bias_values has 3 numbers but must have num_buckets = 32 for one head or num_buckets · num_heads = "
                  "256 for all");
    COMPARE_ERROR(relative_result("t5_bias", {{"num_buckets", Index{33}}}),
                  "num_buckets is 33 but must be even when bidirectional");
    COMPARE_ERROR(relative_result("t5_bias", {{"head", Index{8}}}), "head is 8 but must be below num_heads = 8");
  }
};

VQSCOPE_TEST(T5BiasTest)
#include "t5_bias_test.moc"
