// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/subject.h"

#include "core/catalogue/registry.h"
#include "core/config/model_config.h"
#include "core/session/layer_views.h"
#include "core/session/shown_page.h"
#include "core/session/subject/adopted_model.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

constexpr auto gemma = R"({"model_type": "gemma3_text", "num_hidden_layers": 6, "hidden_size": 1152,
  "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256, "sliding_window": 512,
  "max_position_embeddings": 32768, "rope_theta": 1000000, "rope_local_base_freq": 10000,
  "sliding_window_pattern": 6})";

}  // namespace

class SubjectTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void each_name_once_with_the_widest_range() {
    std::set<std::string> names;
    for (const auto& each : subject_parameters()) {
      QVERIFY(names.insert(each.spec.name).second);
      QCOMPARE(find_subject_parameter(each.spec.name), &each);
      for (const auto& method : methods()) {
        const auto* spec = find_spec(method.parameters, each.spec.name);
        const auto* page = page_of(method);
        if (!spec || !page || !page->shares || spec->kind != each.spec.kind) continue;
        QVERIFY2(each.spec.minimum <= spec->minimum && each.spec.maximum >= spec->maximum, method.id.c_str());
      }
    }
    for (const auto* name : {"q_length", "document_lengths", "head_dim", "rope_theta", "sliding_window"})
      QVERIFY2(names.contains(name), name);
    QCOMPARE(find_subject_parameter("mask"), nullptr);
  }

  void names_and_ranges_are_checked() {
    Subject subject;
    QVERIFY(check_subject(subject));
    subject.values.set("q_length", Index{0});
    COMPARE_ERROR(check_subject(subject), "q_length is 0 but must be an integer from 1 to 2147483648");
    subject.values = {};
    subject.values.set("mask", std::string("causal"));
    COMPARE_ERROR(check_subject(subject), "mask is not shared by all pages");
  }

  /// A config sets the model of every page, masks included; the sequence stays, except for a length
  /// that is not set.
  void a_config_becomes_the_model_of_all_pages() {
    const auto report = read_model_config(gemma);
    QVERIFY(report);
    Session session = default_session();
    session.subject.values.set("past_len", Index{0});
    session.subject.values.set("num_buckets", Index{64});
    session.subject = adopted_model(session.subject, {gemma, *report, {.name = "gemma"}});
    QVERIFY(check_subject(session.subject));
    QVERIFY(!session.subject.values.find("num_buckets"));
    const auto& rotary = shown_page(session, "rotary").values;
    QCOMPARE(rotary.real("rope_theta"), 1e6);
    QCOMPARE(rotary.integer("head_dim"), Index{256});
    QCOMPARE(rotary.integer("q_length"), Index{32768});
    QCOMPARE(shown_page(session, "curves").values.integer("original_max_position_embeddings"), Index{32768});
    if (const ModelLayer* layer = first_mask_of(report->schedule)) {
      const auto mask = mask_of_layer(*layer);
      QVERIFY(mask);
      QCOMPARE(mask->choice("mask"), std::string("sliding_window"));
      QCOMPARE(mask->integer("sliding_window"), Index{512});
    }
    session.subject.values.set("q_length", Index{100});
    QCOMPARE(adopted_model(session.subject, {gemma, *report, {.name = "gemma"}}).values.integer("q_length"),
             Index{100});
  }
};

VQSCOPE_TEST(SubjectTest)
#include "subject_test.moc"
