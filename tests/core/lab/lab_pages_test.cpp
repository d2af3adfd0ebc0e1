// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/session/edit_plan.h"
#include "core/session/resolve.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "tests/core/session/default_page.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// Sessions with the pages of the lab.
class LabPagesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void theWindowHasItsRooms() {
    QCOMPARE(room_infos().size(), std::size_t{6});
    QCOMPARE(room_infos()[4].pages, (std::vector<std::string>{"vq", "memory"}));
    QCOMPARE(room_of("experiments").id, std::string("experiments"));
    QCOMPARE(default_page("experiments").values.integer("seed_count"), Index{1});
  }

  void experimentsIgnoreTheSubject() {
    Session session = default_session();
    session.subject.values.set("q_length", Index{1000});
    const ShownPage experiments = shown_page(session, "experiments");
    QCOMPARE(experiments.values, default_page("experiments").values);
    QVERIFY(!is_linked(experiments, "q_length"));
  }

  /// The method brings its initial values before the given ones.
  void aMethodBringsItsInitialValues() {
    const ShownPage now = default_page("experiments");
    QCOMPARE(now.values.integer("n_code"), Index{64});
    ParameterValues seed;
    seed.set("seed", Index{5});
    const Method& table = *find_method("vq_table");
    const auto plan = plan_method(now, {}, table, seed, PageSide::a);
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    QCOMPARE(plan->page.method, table.id);
    QCOMPARE(plan->page.values.integer("n_code"), Index{512});
    QCOMPARE(plan->page.values.integer("seed"), Index{5});
    const auto same = plan_method(plan->page, plan->subject, table, seed, PageSide::a);
    QCOMPARE(same->page, plan->page);
  }

  /// A page may not have what is set on it among what is set for the whole window: it was right
  /// once, and is again when that changes back.
  void valuesSetAsideAreKept() {
    Session session = default_session();
    session.subject.values.set("q_length", Index{256});
    auto& memory = *find_page(session, "memory");
    memory.method = "infini_memory";
    memory.own.set("segments", Index{7});
    auto& model = *find_page(session, "model");
    model.own.set("num_hidden_layers", Index{28});
    model.own.set("crossing_layers", std::vector<Index>{40});
    QCOMPARE(shown_page(session, "memory").values.integer("segments"), Index{2});
    const ParameterValues layers = shown_page(session, "model").values;
    QCOMPARE(layers.integer("num_hidden_layers"), Index{28});
    QCOMPARE(layers.integers("crossing_layers"), std::vector<Index>{});
    const std::string text = session_text(session);
    const auto read = parse_session(text);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY2(read->notes.empty(), summary(read->notes).c_str());
    QCOMPARE(read->session, session);

    std::string pinned = text;
    for (auto at = pinned.find("set_aside"); at != std::string::npos; at = pinned.find("set_aside"))
      pinned.replace(at, 9, "pinned");
    const auto mistaken = parse_session(pinned);
    QVERIFY(mistaken);
    const std::string notes = summary(mistaken->notes);
    QVERIFY2(notes.find("segments is 7 but must be an integer from 1 to 2") != std::string::npos, notes.c_str());
  }
};

VQSCOPE_TEST(LabPagesTest)
#include "lab_pages_test.moc"
