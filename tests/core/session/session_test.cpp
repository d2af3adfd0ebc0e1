// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"
#include "core/session/shown_page.h"

#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "tests/core/session/default_page.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Result of check_page for the page of buckets after a change.
template <class Change>
std::string refused(const Change& change) {
  ShownPage state = default_page("buckets");
  change(state);
  const auto checked = check_page(state);
  return checked ? "taken" : checked.error().message;
}

}  // namespace

class SessionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pages_agree_with_their_category() {
    std::set<std::string> ids;
    for (const auto& info : page_infos()) {
      QVERIFY(ids.insert(info.id).second);
      QCOMPARE(find_page_info(info.id), &info);
      QVERIFY2(!info.title.empty() && !info.help.empty(), info.id.c_str());
      for (const auto& id : info.fields) {
        QCOMPARE(find_method(id)->category, info.id);
        QCOMPARE(page_of(*find_method(id)), &info);
      }
      for (const auto& id : info.curves) QVERIFY2(find_method(id)->curves(), id.c_str());
      QCOMPARE(std::set(info.curves.begin(), info.curves.end()).size(), info.curves.size());
    }
    QCOMPARE(find_page_info("layers"), nullptr);
  }

  /// No method of the catalogue is forgotten; those that run have no page.
  void every_method_has_its_page() {
    for (const auto& method : methods()) {
      const auto* info = page_of(method);
      if (method.run()) continue;
      QVERIFY2(info, method.id.c_str());
      QVERIFY2(std::ranges::count(method.field() ? info->fields : info->curves, method.id) == 1, method.id.c_str());
    }
  }

  void a_page_chooses_from_its_matrices_or_else_its_curves() {
    QCOMPARE(find_page_info("buckets")->choices(), find_page_info("buckets")->fields);
    QCOMPARE(find_page_info("curves")->choices(), find_page_info("curves")->curves);
    QVERIFY(find_page_info("survey")->choices().empty());
  }

  void every_page_is_in_one_room() {
    std::size_t rooms = 4;
    for (const Part& part : added_parts()) rooms += part.rooms.size();
    QCOMPARE(room_infos().size(), rooms);
    std::set<std::string> pages;
    for (const auto& room : room_infos())
      for (const auto& default_page : room.pages) {
        QVERIFY2(pages.insert(default_page).second && find_page_info(default_page), default_page.c_str());
        QCOMPARE(&room_of(default_page), &room);
      }
    QCOMPARE(pages.size(), page_infos().size());
  }

  void the_default_session() {
    const Session session = default_session();
    QCOMPARE(session.pages.size(), page_infos().size());
    QCOMPARE(session.current, std::string("start"));
    for (const auto& kept : session.pages) {
      QCOMPARE(find_page(session, kept.id), &kept);
      const ShownPage state = shown_page(session, kept.id);
      QCOMPARE(kept_page(state), kept);
      const auto checked = check_page(state);
      QVERIFY2(checked, (state.id + ": " + (checked ? "" : checked.error().message)).c_str());
      QCOMPARE(state.other, state.values);
      QCOMPARE(state.lint.map().empty(), state.id != "masks");
    }
    QCOMPARE(find_page(session, "layers"), nullptr);
  }

  void names_of_looks() {
    QCOMPARE(aggregate_names(), (std::vector<std::string>{"automatic", "mean", "min", "max", "largest"}));
    QCOMPARE(aggregate_names().size(), static_cast<std::size_t>(Aggregate::largest) + 1);
    QVERIFY(std::ranges::count(colour_map_ids(), "viridis") == 1);
  }

  void views_that_can_be_shown() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(is_showable({0, 1, 0, 1}));
    QVERIFY(is_showable({-2.5, 1e9, 0.25, 0.5}));
    for (const ViewRange& view : {ViewRange{0, 0, 0, 1},
                                  {1, 0, 0, 1},
                                  {0, 1, 2, 2},
                                  {0, 1, 3, 2},
                                  {nan, 1, 0, 1},
                                  {0, nan, 0, 1},
                                  {0, 1, 0, nan},
                                  {0, 1e300, 0, 1},
                                  {-1e11, 1, 0, 1}})
      QVERIFY(!is_showable(view));
  }

  /// Only a difference of matrices has a second side, with the values that the method takes of it.
  void subtrahend_of_a_difference() {
    ShownPage state = default_page("buckets");
    const Method& method = *find_method(state.method);
    QVERIFY(!subtrahend(method, state));
    state.compare = CompareMode::side_by_side;
    QVERIFY(!subtrahend(method, state));
    state.compare = CompareMode::difference;
    state.other.set("num_buckets", Index{64});
    state.other.set("of_another_method", Index{1});
    const auto other = subtrahend(method, state);
    QVERIFY(other);
    QCOMPARE(other->integer("num_buckets"), Index{64});
    QVERIFY(!other->find("of_another_method"));
    QCOMPARE(other->map().size(), method.parameters.size());
    QVERIFY(!subtrahend(*find_method("t5_staircase"), state));
  }

  void errors_name_the_invalid_part() {
    COMPARE_TEXT(refused([](auto&) {}), "taken");
    COMPARE_TEXT(refused([](auto& state) { state.id = "layers"; }), "unknown workspace layers");
    COMPARE_TEXT(refused([](auto& state) { state.method = "alibi"; }), "workspace buckets has no method alibi");
    COMPARE_TEXT(refused([](auto& state) { state.colour_map = "jet"; }), "unknown colour map jet");
    COMPARE_TEXT(refused([](auto& state) {
                   state.view = ViewRange{3, 2, 0, 1};
                 }),
                 "view must have an ascending pair of numbers for rows and for cols");
    COMPARE_TEXT(refused([](auto& state) { state.axes["alibi"] = {}; }), "buckets has no curves alibi");
    COMPARE_TEXT(refused([](auto& state) { state.values.set("q_length", Index{0}); }),
                 "q_length is 0 but must be an integer from 1 to 2147483648");
    COMPARE_TEXT(refused([](auto& state) { state.other.set("q_length", Index{0}); }),
                 "q_length is 0 but must be an integer from 1 to 2147483648");
    COMPARE_TEXT(refused([](auto& state) { state.values.set("num_buckets", Index{33}); }),
                 "num_buckets is 33 but must be even when bidirectional");
    COMPARE_TEXT(refused([](auto& state) { state.lint.set("window", Index{3}); }), "unknown parameter window");
  }

  /// Side B is checked only if it is shown.
  void the_other_side_is_checked_where_it_is_shown() {
    const auto with = [](CompareMode compare) {
      return refused([&](auto& state) {
        state.compare = compare;
        state.other.set("num_buckets", Index{33});
      });
    };
    COMPARE_TEXT(with(CompareMode::none), "taken");
    COMPARE_TEXT(with(CompareMode::side_by_side), "num_buckets is 33 but must be even when bidirectional");
    COMPARE_TEXT(with(CompareMode::difference), "num_buckets is 33 but must be even when bidirectional");
  }
};

VQSCOPE_TEST(SessionTest)
#include "session_test.moc"
