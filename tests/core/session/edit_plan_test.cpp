// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/edit_plan.h"

#include "core/catalogue/registry.h"
#include "core/session/resolve.h"
#include "tests/core/session/default_page.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues single(const char* name, ParameterValue value) {
  ParameterValues values;
  values.set(name, std::move(value));
  return values;
}

}  // namespace

class EditPlanTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A linked name goes to the subject, another one to the page.
  void valuesAreStoredInSubjectOrPage() {
    const ShownPage now = default_page("buckets");
    ShownPage next = now;
    next.values.set("q_length", Index{99});
    next.values.set("precision", std::string("exact"));
    const auto plan = plan_values(now, {}, next);
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    QCOMPARE(plan->subject.values, single("q_length", Index{99}));
    QCOMPARE(plan->page.own, single("precision", std::string("exact")));
    QCOMPARE(plan->page.values, next.values);
    QVERIFY(plan->notes.empty());
  }

  void aContradictionIsRefused() {
    const ShownPage now = default_page("buckets");
    ShownPage next = now;
    next.values.set("num_buckets", Index{33});
    COMPARE_ERROR(plan_values(now, {}, next), "num_buckets is 33 but must be even when bidirectional");
    COMPARE_ERROR(plan_method(now, {}, *find_method(now.method), single("num_buckets", Index{33}), PageSide::a),
                  "num_buckets is 33 but must be even when bidirectional");
  }

  /// A mask with the padding of a sample stays one of the batch; another padding is of no sample.
  void aBatchIsLeftForAnotherMask() {
    ShownPage now = default_page("masks");
    now.batch = {.file = "/data/m.npy", .sample = 1};
    ShownPage other = now;
    other.values.set("mask", std::string("prefix_lm"));
    const auto kept = plan_values(now, {}, other);
    QVERIFY(kept);
    QCOMPARE(kept->page.batch, now.batch);
    ShownPage padded = now;
    padded.values.set("padding", Index{3});
    const auto left = plan_values(now, {}, padded);
    QVERIFY(left);
    QCOMPARE(left->page.batch, BatchChoice());
    Subject subject;
    subject.values.set("padding", Index{3});
    QCOMPARE(page_under(now, {}, subject).batch, BatchChoice());
    padded.batch.sample = 2;
    const auto chosen = plan_values(now, {}, padded);
    QVERIFY(chosen);
    QCOMPARE(chosen->page.batch.sample, Index{2});
  }

  void aFileIsLeftForAnotherText() {
    ShownPage now = default_page("masks");
    now.values.set("mask", std::string("custom"));
    now.values.set("mask_text", std::string("q_idx >= kv_idx"));
    now.batch = {.file = "/data/m.py", .text = true};
    ShownPage next = now;
    next.values.set("padding", Index{3});
    const auto kept = plan_values(now, {}, next);
    QVERIFY(kept);
    QCOMPARE(kept->page.batch, now.batch);
    next.values.set("mask_text", std::string("q_idx > kv_idx"));
    const auto left = plan_values(now, {}, next);
    QVERIFY(left);
    QCOMPARE(left->page.batch, BatchChoice());
  }

  void aSideOfAComparison() {
    ShownPage now = default_page("rotary");
    now.compare = CompareMode::side_by_side;
    resolve_page(now, {});
    const auto plan =
        plan_method(now, {}, *find_method("rope_cos"), single("rope_type", std::string("yarn")), PageSide::b);
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    QCOMPARE(plan->page.other.choice("rope_type"), std::string("yarn"));
    QCOMPARE(plan->page.values.choice("rope_type"), std::string("default"));
    QVERIFY(plan->subject.values.map().empty());
  }

  void tokensFollowTheirDocuments() {
    const ShownPage now = default_page("masks");
    Subject next;
    next.values = single("document_lengths", std::vector<Index>{300, 724});
    const auto plan = plan_state(now, {}, now, next);
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    QCOMPARE(plan->subject.values.integer("q_length"), Index{1024});
    QCOMPARE(plan->page.values.integer("q_length"), Index{1024});
  }

  /// T is that of the mask's text until somebody sets another.
  void tokensFollowTheTextOfAMask() {
    ShownPage next = default_page("masks");
    Subject subject;
    Notes notes;
    const auto typed = [&](const std::string& text) {
      const ShownPage now = next;
      next.values.set("mask", std::string("custom"));
      next.values.set("mask_text", text);
      const auto plan = plan_values(now, subject, next);
      QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
      next = plan->page;
      subject = plan->subject;
      notes = plan->notes;
    };
    typed("Q_LEN = 1024\nkv_idx <= q_idx");
    QCOMPARE(next.values.integer("q_length"), Index{1024});
    typed("Q_LEN = 2048\nkv_idx <= q_idx");
    QCOMPARE(next.values.integer("q_length"), Index{2048});
    QVERIFY(notes.empty());
    subject.values.set("q_length", Index{96});
    resolve_page(next, subject);
    typed("Q_LEN = 512\nkv_idx <= q_idx");
    QCOMPARE(next.values.integer("q_length"), Index{96});
    QCOMPARE(notes.size(), std::size_t{1});
    COMPARE_TEXT(notes.front(), "q_length is 96, but the text's Q_LEN is 512");
  }

  void aPageUnderAnotherSubject() {
    const ShownPage page = default_page("rotary");
    Subject next;
    next.values = single("q_length", Index{77});
    QCOMPARE(page_under(page, {}, {}), page);
    const ShownPage moved = page_under(page, {}, next);
    QCOMPARE(moved.values.integer("q_length"), Index{77});
    QVERIFY(moved.own.map().empty());
  }
};

VQSCOPE_TEST(EditPlanTest)
#include "edit_plan_test.moc"
