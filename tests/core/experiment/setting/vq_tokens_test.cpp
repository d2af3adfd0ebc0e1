// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_tokens.h"

#include "core/experiment/setting/vq_experiment.h"
#include "core/field/field.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// Tensors of files as the tokens of experiments: q, k [2, 90, 8], v [90, 6], codebook [5, 8].
class VqTokensTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    SeededRandom random(4);
    m_q = normal_numbers(random, 2 * 90 * 8);
    m_k = normal_numbers(random, 2 * 90 * 8);
    m_v = normal_numbers(random, 90 * 6);
    m_codebook = normal_numbers(random, 5 * 8);
    write("q", {2, 90, 8}, m_q);
    write("k", {2, 90, 8}, m_k);
    write("v", {90, 6}, m_v);
    write("codebook", {5, 8}, m_codebook);
  }

  void the_first_tokens_of_a_head() {
    const auto values = values_of({{"codebook_tensor", name("codebook")}, {"normalize", std::string("none")}});
    const VqSetting setting = *vq_setting(values);
    QCOMPARE(setting.d_k, Index{8});
    QCOMPARE(setting.d_v, Index{6});
    QCOMPARE(setting.n_code, Index{5});
    const auto experiment = run_vq(setting);
    QCOMPARE(experiment->data.keys, (std::vector<float>(m_k.begin() + 720, m_k.begin() + 720 + 40 * 8)));
    QCOMPARE(experiment->data.queries, (std::vector<float>(m_q.begin() + 720, m_q.begin() + 720 + 40 * 8)));
    QCOMPARE(experiment->data.values, (std::vector<float>(m_v.begin(), m_v.begin() + 40 * 6)));
    QCOMPARE(experiment->codewords, m_codebook);
  }

  /// Those behind the tokens shown where there are enough, else the first.
  void keys_that_codewords_are_learnt_from() {
    const VqSetting behind = *vq_setting(values_of({{"train_keys", Index{50}}, {"n_code", Index{50}}}));
    QCOMPARE(training_keys(behind), (Range{40, 90}));
    QVERIFY(check_vq_setting(behind, "q_length", "n_code"));
    QCOMPARE(training_keys(*vq_setting(values_of({{"train_keys", Index{51}}, {"n_code", Index{51}}}))), (Range{0, 51}));
    QCOMPARE(training_keys(*vq_setting(values_of({{"train_keys", Index{5000}}, {"n_code", Index{90}}}))),
             (Range{0, 90}));
    COMPARE_ERROR(check_vq(values_of({{"train_keys", Index{5000}}, {"n_code", Index{91}}})),
                  "n_code is 91 but must be at most 90, the keys that codewords are learnt from");
  }

  void every_experiment_with_tokens_accepts_tensors() {
    const ParameterValues::Map tensors{{"data", std::string("tensors")},
                                       {"q_tensor", name("q", "[0]")},
                                       {"k_tensor", name("k", "[0]")},
                                       {"v_tensor", name("v")},
                                       {"q_length", Index{40}},
                                       {"length_max", Index{64}},
                                       {"n_code", Index{8}},
                                       {"n_code_max", Index{8}},
                                       {"steps", Index{3}},
                                       {"original_max_position_embeddings", Index{16}},
                                       {"reach", Index{4}},
                                       {"segment_len", Index{8}}};
    int taken = 0;
    for (const Method& method : experiment_methods()) {
      if (!find_spec(method.parameters, "k_tensor")) continue;
      ++taken;
      ParameterValues values = default_values(method.parameters);
      for (const auto& [id, value] : tensors)
        if (find_spec(method.parameters, id)) values.set(id, value);
      values = carried_values(method, values);
      if (method.field()) {
        const auto field = make_field(method, values);
        QVERIFY2(field, field ? "" : field.error().message.c_str());
        QVERIFY(std::isfinite((*field)->at(0, 0)) || method.id == "vq_cache");
      } else {
        const auto set = make_curves(method, values);
        QVERIFY2(set, set ? "" : set.error().message.c_str());
      }
    }
    QVERIFY(taken >= 10);
  }

  /// A file that is written anew is read anew, though the former is still shown.
  void a_file_that_changes() {
    auto values = curve_values("vq_cache", {{"data", std::string("tensors")},
                                            {"k_tensor", name("k", "[1]")},
                                            {"codebook_tensor", name("changing")},
                                            {"q_length", Index{40}}});
    values.set("filled", Index{1});
    write("changing", {5, 8}, m_codebook);
    const auto before = *make_field(*find_method(experiment_methods(), "vq_cache"), values);
    QCOMPARE(before->extent().cols, Index{5});
    QCOMPARE(before->at(0, 4) >= 0, true);
    write("changing", {20, 8}, std::vector<float>(m_q.begin(), m_q.begin() + 160));
    const auto after = *make_field(*find_method(experiment_methods(), "vq_cache"), values);
    QCOMPARE(after->extent().cols, Index{20});
    double keys = 0;
    for (Index s = 0; s < 20; ++s) keys += after->at(0, s);
    QCOMPARE(keys, 40.0);
  }

  /// Heads 0 and 1 of q share the one head of k and v; the same with tokens first.
  void a_head_of_tensors() {
    std::vector<float> turned;
    for (std::ptrdiff_t token = 0; token < 90; ++token)
      for (std::ptrdiff_t head = 0; head < 2; ++head)
        turned.insert(turned.end(), m_q.begin() + head * 720 + token * 8, m_q.begin() + head * 720 + token * 8 + 8);
    write("turned", {90, 2, 8}, turned);
    write("k_turned", {90, 1, 8}, std::vector<float>(m_k.begin(), m_k.begin() + 720));
    for (const Index head : {0, 1}) {
      const ParameterValues::Map rows{{"q_tensor", name("q")}, {"k_tensor", name("k", "[0]")}, {"head", head}};
      const ParameterValues::Map tokens{{"q_tensor", name("turned")}, {"k_tensor", name("k_turned")}, {"head", head}};
      for (const auto& set : {rows, tokens}) {
        const auto read = read_tokens(values_of(set), true);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE((*read)->queries, std::vector<float>(m_q.begin() + head * 720, m_q.begin() + (head + 1) * 720));
        QCOMPARE((*read)->keys, std::vector<float>(m_k.begin(), m_k.begin() + 720));
        QCOMPARE((*read)->heads, Index{2});
        QVERIFY((*read)->shown_head.ends_with("; head " + std::to_string(head) + " of 2 is used"));
      }
    }
    QVERIFY(read_tokens(values_of({}), false).value()->shown_head.empty());
  }

  /// Head 3 of four heads of queries has the keys of head 1 of two.
  void keys_alone_follow_the_heads_of_queries() {
    ParameterValues values = curve_values("vq_cache", {{"data", std::string("tensors")},
                                                       {"k_tensor", name("k")},
                                                       {"num_heads", Index{4}},
                                                       {"head", Index{3}},
                                                       {"q_length", Index{40}}});
    const auto read = read_tokens(values, true);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE((*read)->keys, std::vector<float>(m_k.begin() + 720, m_k.end()));
    values.set("num_heads", Index{0});
    COMPARE_ERROR(read_tokens(values, true),
                  "head is 3, k_tensor = " + path("k") + " is [2, 90, 8]: head must be 0 to 1");
  }

  /// ALiBi's slopes are those of the tensors' heads.
  void tensors_decide_the_heads_of_a_bias() {
    const ParameterValues values = values_of({{"q_tensor", name("q")},
                                              {"k_tensor", name("k")},
                                              {"v_tensor", std::string()},
                                              {"head", Index{1}},
                                              {"bias", std::string("alibi")}});
    ParameterValues stated = values_of({{"head", Index{1}}, {"num_heads", Index{2}}, {"bias", std::string("alibi")}});
    const auto setting = vq_setting(values), same = vq_setting(stated);
    QVERIFY(setting && same);
    QCOMPARE(setting->bias->whole().values, same->bias->whole().values);
    QVERIFY(
        is_relevant(*find_spec(find_method(experiment_methods(), "vq_error_by_token")->parameters, "head"), values));
  }

  void bad_tensors() {
    const auto refused = [&](const ParameterValues::Map& set) { return check_vq(values_of(set)); };
    COMPARE_ERROR(refused({{"q_tensor", std::string()}}),
                  "q_tensor is empty but must name a tensor while data is tensors: FILE or FILE:NAME[layer,head]");
    write("batch", {1, 2, 90, 8}, m_q);
    COMPARE_ERROR(
        refused({{"q_tensor", name("batch")}}),
        "q_tensor = " + path("batch") +
            " is [1, 2, 90, 8] but must be [T, d], [heads, T, d] or [T, heads, d]; FILE:NAME[0] selects from the "
            "leading dimensions");
    COMPARE_ERROR(refused({{"q_tensor", name("q")}, {"head", Index{2}}}),
                  "head is 2, q_tensor = " + path("q") + " is [2, 90, 8]: head must be 0 to 1");
    COMPARE_ERROR(refused({{"q_tensor", name("v")}}), "q_tensor = " + path("v") + " is [90, 6], k_tensor = " +
                                                          path("k") + "[1] is [90, 8]: both must have the same d_k");
    COMPARE_ERROR(refused({{"v_tensor", name("codebook")}}),
                  "v_tensor = " + path("codebook") + " is [5, 8], k_tensor = " + path("k") +
                      "[1] is [90, 8]: both must have the same number of tokens");
    COMPARE_ERROR(refused({{"q_length", Index{91}}}), "q_length is 91 but must be at most 90, the tokens of k_tensor");
    QVERIFY(!refused({{"k_tensor", std::string("/nowhere/k.npy")}}));
    auto broken = m_v;
    broken[7] = std::numeric_limits<float>::infinity();
    write("broken", {90, 6}, broken);
    COMPARE_ERROR(vq_setting(values_of({{"v_tensor", name("broken")}})),
                  "v_tensor = " + path("broken") + " has inf at row 1, column 1 but must be finite");
  }

 private:
  std::string path(const char* tensor) const { return m_folder.filePath(tensor).toStdString() + ".npy"; }
  std::string name(const char* tensor, const char* leading = "") const { return path(tensor) + leading; }

  void write(const char* tensor, const std::vector<Index>& shape, const std::vector<float>& values) const {
    QFile file(QString::fromStdString(path(tensor)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(npy_array("<f4", shape, bytes_of_values(values))));
  }

  ParameterValues values_of(const ParameterValues::Map& set) const {
    ParameterValues values = curve_values("vq_error_by_token", {{"data", std::string("tensors")},
                                                                {"q_tensor", name("q", "[1]")},
                                                                {"k_tensor", name("k", "[1]")},
                                                                {"v_tensor", name("v")},
                                                                {"q_length", Index{40}}});
    for (const auto& [id, value] : set) values.set(id, value);
    return values;
  }

  QTemporaryDir m_folder;
  std::vector<float> m_q, m_k, m_v, m_codebook;
};

VQSCOPE_TEST(VqTokensTest)
#include "vq_tokens_test.moc"
