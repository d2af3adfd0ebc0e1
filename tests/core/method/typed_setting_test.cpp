// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/typed_setting.h"

#include "core/base/text.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

std::vector<ParameterSpec> someSpecs() {
  return {
      make_parameter("q_length", "Sequence", "Length.",
                     {.label = "T", .default_value = Index{512}, .minimum = 1, .maximum = 0x1p31}),
      make_parameter("past_len", "Sequence", "Cached tokens.",
                     {.label = "Cache offset", .default_value = Index{0}, .minimum = 0, .maximum = 0x1p31}),
      make_parameter("factor", "Scaling", "Factor.", {.default_value = 4.0, .minimum = 1, .maximum = 1024}),
      make_parameter("rope_theta", "RoPE", "Base.",
                     {.label = "Base θ", .default_value = 1e4, .minimum = 1, .maximum = 1e12}),
      make_parameter("future_keys", "View", "Mute.", {.label = "Future keys", .default_value = false}),
      make_parameter("document_lengths", "Sequence", "Lengths.",
                     {.label = "Documents", .default_value = std::vector<Index>{}, .minimum = 1, .maximum = 0x1p31}),
      make_parameter(
          "mask", "Mask", "Pattern.",
          {.label = "Mask", .default_value = std::string("causal"), .choices = {{"causal", ""}, {"packed", ""}}})};
}

/// "q_length=4096 whole; …", or the sentence that refuses the value.
QString found(const char* typed) {
  const auto specs = someSpecs();
  QStringList all;
  for (const auto& setting : typed_settings(specs, typed)) {
    const QString name = QString::fromStdString(specs[setting.spec].name);
    all << (setting.value ? name + '=' + QString::fromStdString(format_value(*setting.value))
                          : QString::fromStdString(setting.value.error().message)) +
               (setting.whole ? " whole" : "");
  }
  return all.join("; ");
}

}  // namespace

class TypedSettingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void settings_data() {
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* typed, const char* expected) { QTest::newRow(typed) << QString(expected); };
    row("T 4096", "q_length=4096 whole");
    row("t 2M", "q_length=2097152 whole");
    row("q_length=4096", "q_length=4096 whole");
    row("q_length = 4k", "q_length=4096 whole");
    row("q length 4096", "q_length=4096 whole");
    row("T 0", "q_length is 0 but must be an integer from 1 to 2147483648 whole");
    row("T 0.5", "q_length is 0.5 but must be an integer from 1 to 2147483648 whole");
    row("T=", "");
    row("T =x", "q_length is x but must be an integer from 1 to 2147483648 whole");
    row("factor 8", "factor=8 whole");
    row("fact 8", "factor=8");
    row("factor 5000", "factor is 5000 but must be a number from 1 to 1024 whole");
    row("cache offset 16", "past_len=16 whole");
    row("cache 16", "past_len=16");
    row("base θ 500000", "rope_theta=5e+05 whole");
    row("future keys on", "future_keys=true whole");
    row("documents 3, 4", "document_lengths=3,4 whole");
    row("mask packed", "");  // the value has an entry of its own
    row("mask=packed", "mask=packed whole");
    row("mask=none", "mask is none but must be one of causal, packed whole");
    row("go to cell", "");
    row("4096", "");
    row("= 4", "");
    row("r 4", "");
    row("rope 4", "rope_theta=4");
    row(" ", "");
  }

  void settings() {
    QFETCH(QString, expected);
    QCOMPARE(found(QTest::currentDataTag()), expected);
  }

  void nothingLongIsRead() { QCOMPARE(found(("T " + std::string(5000, '1')).c_str()), QString()); }

  void lengths() {
    const auto length = typed_length("rope cos 2M");
    QVERIFY(length);
    QCOMPARE(length->words, std::string("rope cos"));
    QCOMPARE(length->length, std::string("2M"));
    for (const char* none : {"rope", "2M", "rope x", "- 5", "rope 1.5", ""}) QVERIFY(!typed_length(none));
  }
};

VQSCOPE_TEST(TypedSettingTest)
#include "typed_setting_test.moc"
