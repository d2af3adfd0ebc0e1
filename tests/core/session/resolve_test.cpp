// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/resolve.h"

#include "core/catalogue/registry.h"
#include "core/session/page_parameters.h"
#include "core/session/shown_page.h"
#include "tests/core/session/default_page.h"
#include "tests/support/compare.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A page after an edit that sets values.
template <class Change>
Result<ShownPage> edited(const char* id, Subject& subject, const Change& change) {
  const ShownPage before = default_page(id);
  ShownPage next = before;
  change(next);
  if (auto kept = keep_edits(next, before, subject); !kept) return kept.error();
  resolve_page(next, subject);
  return next;
}

ShownPage shown(ShownPage state, const char* method) {
  const ShownPage before = state;
  state.method = method;
  complete_page(state, before);
  return state;
}

}  // namespace

class ResolveTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// T set on one page is T on every page that has it; what was not set stays at the page's
  /// default.
  void shared_values_are_set_for_all_pages() {
    Session session = default_session();
    Subject subject;
    const auto buckets = edited("buckets", subject, [](auto& next) {
      next.values.set("q_length", Index{1000});
      next.values.set("precision", std::string("exact"));
    });
    QVERIFY(buckets);
    QCOMPARE(subject.values.map().size(), std::size_t{1});
    QCOMPARE(buckets->own.map().size(), std::size_t{1});
    session.subject = subject;
    QCOMPARE(shown_page(session, "masks").values.integer("q_length"), Index{1000});
    QCOMPARE(shown_page(session, "rotary").values.integer("q_length"), Index{1000});
    QCOMPARE(shown_page(session, "rotary").values.integer("past_len"), Index{0});
  }

  void a_page_with_a_value_of_its_own_keeps_it() {
    Subject subject;
    subject.values.set("q_length", Index{1000});
    ShownPage state = default_page("masks");
    state.own.set("q_length", Index{64});
    QVERIFY(resolve_page(state, subject).empty());
    QCOMPARE(state.values.integer("q_length"), Index{64});
    QVERIFY(!is_linked(state, "q_length") && is_linked(state, "past_len") && !is_linked(state, "mask"));
    const ShownPage before = state;
    state.values.set("q_length", Index{65});
    QVERIFY(keep_edits(state, before, subject));
    QCOMPARE(state.own.integer("q_length"), Index{65});
    QCOMPARE(subject.values.integer("q_length"), Index{1000});
    state.own = without(state.own, "q_length");
    resolve_page(state, subject);
    QCOMPARE(state.values.integer("q_length"), Index{1000});
  }

  /// Shared values of a comparison change on both sides.
  void side_b_follows_the_subject_where_it_was_equal() {
    Subject now, next;
    now.values.set("q_length", Index{100});
    ShownPage state = default_page("masks");
    state.compare = CompareMode::side_by_side;
    resolve_page(state, now);
    state.other.set("past_len", Index{7});
    next.values.set("padding", Index{4});
    next.values.set("past_len", Index{3});
    next.values.set("q_length", Index{100});
    follow_subject(state, now, next);
    QVERIFY(resolve_page(state, next).empty());
    QCOMPARE(state.values.integer("padding"), Index{4});
    QCOMPARE(state.other.integer("padding"), Index{4});
    QCOMPARE(state.values.integer("past_len"), Index{3});
    QCOMPARE(state.other.integer("past_len"), Index{7});
    // The page's own values do not follow the subject.
    state.own.set("padding", Index{4});
    now = next;
    next.values.set("padding", Index{5});
    follow_subject(state, now, next);
    QVERIFY(resolve_page(state, next).empty());
    QCOMPARE(state.other.integer("padding"), Index{4});
  }

  void names_and_ranges_are_refused() {
    Subject subject;
    COMPARE_ERROR(edited("buckets", subject, [](auto& next) { next.values.set("q_lenght", Index{3}); }),
                  "unknown parameter q_lenght; did you mean q_length?");
    COMPARE_ERROR(edited("buckets", subject, [](auto& next) { next.values.set("q_length", Index{0}); }),
                  "q_length is 0 but must be an integer from 1 to 2147483648");
    const auto emptied = edited("buckets", subject, [](auto& next) { next.values = {}; });
    QVERIFY(emptied);
    QCOMPARE(emptied->values, default_page("buckets").values);
    QVERIFY(subject.values.map().empty());
  }

  /// Looking at other methods changes nothing that was set, and each method has its own defaults.
  void viewing_another_method_keeps_the_values() {
    for (const auto& info : page_infos()) {
      if (info.choices().size() < 2) continue;
      ShownPage state = default_page(info.id.c_str());
      const ParameterValues first = state.values;
      for (const auto& method : info.choices()) {
        state = shown(state, method.c_str());
        const auto own = default_values(find_method(method)->parameters);
        for (const auto& [name, value] : own.map())
          if (!info.first.find(name)) QVERIFY2(*state.values.find(name) == value, (method + " " + name).c_str());
      }
      QVERIFY2(state.own.map().empty(), info.id.c_str());
      QCOMPARE(shown(state, info.choices().front().c_str()).values, first);
    }
  }

  /// A value that another method cannot have is the nearest there, and is back with the first.
  void a_value_survives_a_method_that_cannot_have_it() {
    ShownPage state = shown(default_page("tables"), "learned_absolute");
    const ShownPage before = state;
    state.values.set("d_model", Index{60000});
    complete_page(state, before);
    const ShownPage other = shown(state, "sinusoidal");
    QCOMPARE(other.values.integer("d_model"), Index{4096});
    QCOMPARE(shown(other, "learned_absolute").values.integer("d_model"), Index{60000});
  }

  void free_names_of_another_text_are_removed() {
    const ShownPage first = default_page("masks");
    ShownPage state = first;
    state.values.set("mask", std::string("custom"));
    state.values.set("mask_text", std::string("q_idx - kv_idx < w"));
    complete_page(state, first);
    ShownPage before = state;
    state.values.set("text.w", Index{9});
    complete_page(state, before);
    QCOMPARE(state.values.integer("text.w"), Index{9});
    before = state;
    state.values.set("mask", std::string("causal"));
    complete_page(state, before);
    QVERIFY(!state.values.find("text.w") && !state.own.find("text.w"));
  }

  /// The subject may have what a page cannot show together with its own values: the page shows its
  /// default.
  void invalid_subject_value_is_replaced_on_its_page_only() {
    ShownPage state = default_page("masks");
    state.own.set("document_lengths", std::vector<Index>{256, 256});
    QVERIFY(resolve_page(state, {}).empty());
    Subject subject;
    subject.values.set("q_length", Index{1000});
    const auto notes = resolve_page(state, subject);
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY(check_page(state));
    QCOMPARE(state.own.integers("document_lengths"), (std::vector<Index>{256, 256}));
    QVERIFY(resolve_page(state, {}).empty());
    QCOMPARE(state.values.integers("document_lengths"), (std::vector<Index>{256, 256}));
  }

  /// Side B keeps its values, has A's number of tokens, and follows A's method where it was equal.
  void side_b() {
    ShownPage state = default_page("rotary");
    state.compare = CompareMode::difference;
    state.other = state.values;
    state.other.set("rope_theta", 5e5);
    Subject subject;
    subject.values.set("q_length", Index{777});
    subject.values.set("rope_theta", 1e6);
    resolve_page(state, subject);
    QCOMPARE(state.values.real("rope_theta"), 1e6);
    QCOMPARE(state.other.real("rope_theta"), 5e5);
    QCOMPARE(state.other.integer("q_length"), Index{777});
    state.compare = CompareMode::none;
    resolve_page(state, subject);
    QCOMPARE(state.other, state.values);
  }

  /// Whatever the subject and the pages have set, every page can be shown.
  void every_page_can_be_shown() {
    std::mt19937 random(7);
    Session session = default_session();
    for (int round = 0; round < 40; ++round) {
      const auto all = subject_parameters();
      const auto& spec = all[random() % all.size()].spec;
      ParameterValue value = spec.default_value;
      if (std::holds_alternative<Index>(value)) value = Index{static_cast<Index>(random() % 5000)};
      if (std::holds_alternative<double>(value)) value = static_cast<double>(random() % 5000);
      if (!spec.choices.empty() && std::holds_alternative<std::string>(value))
        value = spec.choices[random() % spec.choices.size()].id;
      if (!check_value(spec, value)) continue;
      session.subject.values.set(spec.name, value);
      for (const auto& info : page_infos()) {
        const ShownPage state = shown_page(session, info.id);
        const auto checked = check_page(state);
        QVERIFY2(checked, (state.id + ": " + (checked ? "" : checked.error().message)).c_str());
      }
    }
  }
};

VQSCOPE_TEST(ResolveTest)
#include "resolve_test.moc"
