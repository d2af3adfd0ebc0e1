// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/note/cell_note.h"

#include "core/session/session_json.h"
#include "core/session/session_plan.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

Session noted(const std::string& notes) {
  const auto opened =
      parse_session("{\"vqscope\": 2, \"workspaces\": [{\"id\": \"masks\", \"notes\": " + notes + "}]}");
  return opened->session;
}

std::string note_of_opening(const std::string& notes) {
  const auto opened =
      parse_session("{\"vqscope\": 2, \"workspaces\": [{\"id\": \"masks\", \"notes\": " + notes + "}]}");
  return summary(opened->notes);
}

}  // namespace

class CellNoteTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_for_a_cell() {
    std::vector<CellNote> notes = with_note({}, {"visibility", 3, 4, " why? "});
    COMPARE_TEXT(note_at(notes, "visibility", 3, 4), "why?");
    COMPARE_TEXT(note_at(notes, "mask_blocks", 3, 4), "");
    notes = with_note(std::move(notes), {"visibility", 1, 9, "first"});
    notes = with_note(std::move(notes), {"visibility", 3, 4, "because"});
    const auto own = notes_of(notes, "visibility");
    QCOMPARE(own.size(), std::size_t{2});
    COMPARE_TEXT(own[0].text, "first");
    COMPARE_TEXT(own[1].text, "because");
    QCOMPARE(with_note(std::move(notes), {"visibility", 3, 4, "  "}).size(), std::size_t{1});
  }

  void long_texts_end_at_a_character() {
    std::string text;
    while (text.size() <= longest_cell_note) text += "断";
    const auto notes = with_note({}, {"visibility", 0, 0, text});
    QCOMPARE(notes[0].text.size(), std::size_t{4095});
  }

  void sessions_keep_them() {
    Session session = default_session();
    find_page(session, "masks")->notes = {{"visibility", 3, 4, "why?\n\"<b>\""}};
    QCOMPARE(parse_session(session_text(session))->session, session);
    // One that was cut ends before the spaces at the cut.
    find_page(session, "masks")->notes =
        with_note({}, {"visibility", 0, 0, std::string(longest_cell_note - 1, 'x') + "\ny"});
    QCOMPARE(parse_session(session_text(session))->session, session);
    QVERIFY(session_text(default_session()).find("notes") == std::string::npos);
  }

  void what_is_wrong_in_a_file_is_left_out() {
    COMPARE_TEXT(note_of_opening("3"), "Masks: notes is 3 but must be a list of notes on cells; it was left out");
    const std::string wrong =
        "Masks: a note must have a method of the page, and a row and a column from 0 on; it was left out";
    for (const char* notes : {"[{\"method\": \"visibility\", \"row\": -1, \"col\": 0, \"text\": \"a\"}]",
                              "[{\"method\": \"alibi\", \"row\": 1, \"col\": 0, \"text\": \"a\"}]"})
      COMPARE_TEXT(note_of_opening(notes), wrong);
    std::string many = "[";
    for (int i = 0; i < 300; ++i)
      many += "{\"method\": \"visibility\", \"row\": " + std::to_string(i) + ", \"col\": 0, \"text\": \"a\"},";
    many.back() = ']';
    QCOMPARE(find_page(noted(many), "masks")->notes.size(), most_cell_notes);
    COMPARE_TEXT(note_of_opening(many), "Masks: there are more than 256 notes; the others were left out");
  }

  /// An edit of values keeps them.
  void plans_keep_them() {
    Session session = default_session();
    find_page(session, "masks")->notes = {{"visibility", 3, 4, "why?"}};
    const ShownPages pages(session);
    ShownPage next = pages.at("masks");
    next.values.set("q_length", Index{99});
    next.notes = with_note(next.notes, {"visibility", 5, 5, "here"});
    const auto plan = plan_page(pages, next);
    QVERIFY(plan);
    QCOMPARE(plan->page.notes.size(), std::size_t{2});
    QCOMPARE(kept_page(plan->page).notes.size(), std::size_t{2});
  }
};

VQSCOPE_TEST(CellNoteTest)
#include "cell_note_test.moc"
