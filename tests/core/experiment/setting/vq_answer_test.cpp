// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_answer.h"

#include "core/attention/methods.h"
#include "core/experiment/methods.h"
#include "core/method/method_list.h"
#include "core/method/qkv/tensor_lengths.h"
#include "core/method/run_result.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// q [4, 80, 8], k and v [2, 80, 8] in files.
class VqAnswerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    SeededRandom random(11);
    m_inputs = {{"q", {{4, 80, 8}, normal_numbers(random, 4 * 80 * 8)}},
                {"k", {{2, 80, 8}, normal_numbers(random, 2 * 80 * 8)}},
                {"v", {{2, 80, 8}, normal_numbers(random, 2 * 80 * 8)}}};
    for (const auto& [name, tensor] : m_inputs)
      writtenFile(m_folder, QString::fromStdString(name) + ".npy",
                  QByteArray::fromStdString(npy_array("<f4", tensor.shape, bytes_of_values(tensor.values))));
  }

  /// Experiments and run vq_attention --array qkv= say the same of the same files.
  void the_answer_is_that_of_the_run() {
    const std::string sentence = run_sentence(m_inputs, {{"n_code", codewords_for_tensors}});
    for (const char* method : {"vq_weights", "vq_weight_error", "vq_error_by_token"}) {
      const auto answer = vq_answer(values_of(method));
      QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
      QVERIFY2(answer->starts_with(sentence + ". Head 0, which is shown: "), answer->c_str());
    }
    QVERIFY2(sentence.ends_with("; 4 heads, causal, scores q·k / √d"), sentence.c_str());
  }

  void one_head_alone_is_that_head() {
    const std::string head = run_sentence(m_inputs, {{"n_code", Index{20}}, {"head", Index{3}}});
    QVERIFY2(head.ends_with("; head 3 of 4, causal, scores q·k / √d"), head.c_str());
    const auto answer = vq_answer(values_of("vq_weights", {{"n_code", Index{20}}, {"head", Index{3}}})).value();
    const std::string error =
        head.substr(head.find("differ by ") + 10, head.find(" (rms)") - head.find("differ by ") - 4);
    QVERIFY2(answer.find(" Head 3, which is shown: " + error + ", ") != std::string::npos, answer.c_str());
  }

  void what_is_set_counts() {
    const ParameterValues::Map set{{"n_code", Index{16}}, {"normalize", std::string("paper")}};
    const std::string sentence = run_sentence(m_inputs, set);
    QVERIFY2(sentence.ends_with("q and k normalised by RMSNorm, scores q·k / √d"), sentence.c_str());
    QVERIFY(vq_answer(values_of("vq_weights", set)).value().starts_with(sentence));
    const ParameterValues::Map biased{{"n_code", Index{16}}, {"bias", std::string("alibi")}};
    QVERIFY(vq_answer(values_of("vq_weights", biased)).value() !=
            vq_answer(values_of("vq_weights", {{"n_code", Index{16}}})).value());
  }

  void the_first_tokens_are_those_that_are_shown() {
    RunInputs first = m_inputs;
    for (auto& [name, tensor] : first) {
      std::vector<float> kept;
      for (Index head = 0; head < tensor.shape[0]; ++head)
        kept.insert(kept.end(), tensor.values.begin() + head * 640, tensor.values.begin() + head * 640 + 40 * 8);
      tensor = {{tensor.shape[0], 40, 8}, std::move(kept)};
    }
    const std::string sentence = run_sentence(first, {{"n_code", Index{10}}});
    const auto answer = vq_answer(values_of("vq_weights", {{"n_code", Index{10}}, {"q_length", Index{40}}})).value();
    QVERIFY2(answer.starts_with(sentence), (sentence + "\n" + answer).c_str());
  }

  /// Heads that together take more than the time of a run: the one that is shown answers alone.
  void one_head_answers_for_too_many() {
    constexpr Index heads = 64, length = 200, width = 64;
    const std::string zeros = bytes_of_values(std::vector<float>(heads * length * width));
    const QString path =
        writtenFile(m_folder, "many.npy", QByteArray::fromStdString(npy_array("<f4", {heads, length, width}, zeros)));
    auto values = values_of("vq_weights", {{"n_code", Index{8}}, {"steps", Index{10000}}, {"q_length", length}});
    for (const char* name : {"q", "k", "v"}) values.set(std::string(name) + "_tensor", path.toStdString());
    const auto answer = vq_answer(values);
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QVERIFY2(answer->ends_with(" That is head 0 alone: all 64 would take too long or too much memory."),
             answer->c_str());
  }

  /// The remark has the answer first, then what is shown, in plain words.
  void remarks() {
    const auto values = values_of("vq_weights");
    const std::string remark = vq_remark(values, {});
    COMPARE_TEXT(remark.substr(vq_answer(values)->size()),
                 " The codewords are learnt from the keys that they replace; keys that they have "
                 "not seen are farther from them.");
    auto without = values;
    without.set("v_tensor", std::string());
    const std::string drawn = vq_remark(without, {});
    QVERIFY2(drawn.ends_with(" No file gives values: random ones are taken."), drawn.c_str());
    COMPARE_TEXT(vq_remark(default_values(find_method(experiment_methods(), "vq_weights")->parameters), {}), "");
  }

 private:
  ParameterValues values_of(const char* id, const ParameterValues::Map& set = {}) const {
    const Method& method = *find_method(experiment_methods(), id);
    ParameterValues values = default_values(method.parameters, {{"data", std::string("tensors")}});
    for (const char* name : {"q", "k", "v"}) values.set(std::string(name) + "_tensor", path(name));
    for (const auto& spec : method.parameters)
      if (auto value = value_for_tensors(method.parameters, spec, 80)) values.set(spec.name, *value);
    for (const auto& [name, value] : set) values.set(name, value);
    return values;
  }

  /// As `run vq_attention --array qkv=` has it.
  static std::string run_sentence(RunInputs inputs, const ParameterValues::Map& set) {
    static const Method method = vq_attention_method();
    ParameterValues values = default_values(method.parameters, {{"normalize", std::string(norm_of_tensors)}});
    for (const auto& [name, value] : set) values.set(name, value);
    const auto run = make_run(method, {.inputs = std::move(inputs)}, values);
    return run ? run->facts.text("answer") : run.error().message;
  }

  std::string path(const char* name) const { return m_folder.filePath(QString(name) + ".npy").toStdString(); }

  QTemporaryDir m_folder;
  RunInputs m_inputs;
};

VQSCOPE_TEST(VqAnswerTest)
#include "vq_answer_test.moc"
