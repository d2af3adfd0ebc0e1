// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/subject_tensors.h"

#include "core/catalogue/registry.h"
#include "core/session/subject/shown_tensors.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// What methods take of tensors that RoPE has rotated, or has not.
class SubjectTensorsTest : public test::TestCase {
  Q_OBJECT

 private:
  static Subject subject(const std::string& q, const std::string& k) {
    Subject subject;
    subject.values.set("q_tensor", "absent.safetensors:" + q);
    subject.values.set("k_tensor", "absent.safetensors:" + k);
    subject.values.set("q_length", Index{8});
    subject.values.set("rope_theta", 5e5);
    return subject;
  }
  static std::optional<ParameterValue> value(const char* method, const char* name, const Subject& subject) {
    const Method& found = *find_method(method);
    return value_of_tensors(found, *find_spec(found.parameters, name), subject);
  }

 private slots:
  void a_model_rotates_them() {
    const Subject plain = subject("q[0]", "k[0]");
    QVERIFY(!are_rotated_tensors(plain));
    QVERIFY(value("rope_own_scores", "vectors", plain) == ParameterValue(std::string("tensors")));
    QVERIFY(value("rope_own_scores", "rope_theta", plain) == ParameterValue(5e5));
  }

  void none_is_rotated_twice() {
    const Subject rotated = subject("q_rot[0]", "k_rot[0]");
    QVERIFY(are_rotated_tensors(rotated));
    QVERIFY(!are_rotated_tensors(subject("q_rot[0]", "k[0]")));
    QVERIFY2(!value("rope_own_scores", "vectors", rotated), "it always rotates");
    QVERIFY(value("bias_own_scores", "vectors", rotated) == ParameterValue(std::string("tensors")));
    QVERIFY(shown_tensors(rotated).lines.ends_with("no view rotates them once more"));
  }

  /// vqscope.capture stands at the attention function, after RoPE.
  void what_an_attention_function_was_given_is_rotated() {
    const QTemporaryDir folder;
    const std::string tensor = R"({"dtype":"F32","shape":[2,1],"data_offsets":)";
    const std::string header =
        R"({"__metadata__":{"is_causal":"true"},"q":)" + tensor + R"([0,8]},"k":)" + tensor + R"([8,16]}})";
    const auto file = writtenFile(folder, "layer0.safetensors",
                                  QByteArray::fromStdString(safetensors_file(header, std::string(16, '\0'))));
    ParameterValues values;
    for (const char* name : {"q", "k"}) values.set(std::string(name) + "_tensor", file.toStdString() + ":" + name);
    QVERIFY(are_rotated_tensors(with_tensors({}, values)));
  }
};

VQSCOPE_TEST(SubjectTensorsTest)
#include "subject_tensors_test.moc"
