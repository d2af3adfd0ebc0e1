// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/shown_page.h"

#include "core/session/session_plan.h"
#include "tests/core/session/default_page.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ShownPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Only differences of side B from side A are stored and restored.
  void only_differences_are_kept() {
    ShownPage page = default_page("buckets");
    QCOMPARE(kept_page(page).other, ParameterValues());
    page.compare = CompareMode::difference;
    page.other.set("num_buckets", Index{64});
    const PageState kept = kept_page(page);
    QCOMPARE(kept.other.map().size(), std::size_t{1});
    QCOMPARE(shown_page(kept, {}), page);
    QCOMPARE(shown_page(kept, {}, default_page("masks").values), page);
  }

  void side_b_takes_missing_values_from_side_a() {
    Session session = default_session();
    PageState& page = *find_page(session, "buckets");
    page.own.set("num_buckets", Index{33});
    page.compare = CompareMode::side_by_side;
    page.other.set("bidirectional", false);
    const ShownPage shown = shown_page(session, "buckets");
    QCOMPARE(shown.values.integer("num_buckets"), Index{32});
    QCOMPARE(shown.other.integer("num_buckets"), Index{32});
    QVERIFY(!shown.other.boolean("bidirectional"));
    QVERIFY(check_page(shown));
  }

  void shown_pages_follow_their_session() {
    Session session = default_session();
    ShownPages pages(session);
    const ShownPage& buckets = pages.at("buckets");
    const ShownPage& masks = pages.at("masks");
    session.subject.values.set("q_length", Index{99});
    find_page(session, "masks")->own.set("q_length", Index{7});
    find_page(session, "masks")->colour_map = "viridis";
    pages.update();
    QCOMPARE(buckets, shown_page(session, "buckets"));
    QCOMPARE(masks, shown_page(session, "masks"));
    find_page(session, "masks")->view = ViewRange{1, 2, 3, 4};
    pages.update_look("masks");
    QCOMPARE(masks, shown_page(session, "masks"));
  }

  /// Values of other pages are part of the plan: side B follows where it was equal to A.
  void plan_includes_values_of_other_pages() {
    Session session = default_session();
    PageState& masks = *find_page(session, "masks");
    masks.compare = CompareMode::side_by_side;
    masks.other.set("past_len", Index{3});
    session.current = "buckets";
    const ShownPages pages(session);
    Subject next;
    next.values.set("past_len", Index{3});
    const auto plan = plan_subject(pages, next);
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    QCOMPARE(plan->page.id, std::string("buckets"));
    QCOMPARE(plan->others.size(), std::size_t{1});
    QVERIFY(plan->others.front().other.map().empty());
    next.values.set("past_len", Index{-1});
    QVERIFY(!plan_subject(pages, next));
    QVERIFY(plan_reset(pages, "buckets", "past_len")->others.empty());
  }
};

VQSCOPE_TEST(ShownPageTest)
#include "shown_page_test.moc"
