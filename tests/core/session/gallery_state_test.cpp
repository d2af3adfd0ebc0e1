// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/gallery_state.h"

#include "core/catalogue/gallery.h"
#include "core/session/page_parameters.h"
#include "core/session/resolve.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class GalleryStateTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyEntryIsASessionThatRoundTrips_data() {
    QTest::addColumn<QString>("id");
    for (const auto& entry : gallery_entries())
      if (entry.shown.method) QTest::addRow("%s", entry.id.c_str()) << QString::fromStdString(entry.id);
  }

  /// It shows the entry's values, on both sides, and is the same when it was saved and opened.
  void everyEntryIsASessionThatRoundTrips() {
    QFETCH(QString, id);
    const GalleryEntry& entry = **require_gallery_entry(id.toStdString());
    const auto state = gallery_state(entry);
    Session session = default_session();
    session.subject = state.subject;
    session.current = state.page.id;
    *find_page(session, state.page.id) = kept_page(state.page);
    QVERIFY(check_page(state.page));
    QVERIFY(check_subject(state.subject));
    QCOMPARE(state.page.method, entry.shown.method->id);
    QVERIFY(carried_values(*entry.shown.method, state.page.values) == entry.values());
    if (entry.compare != GalleryCompare::none)
      QVERIFY(carried_values(*entry.shown.method, state.page.other) == entry.other_values());
    const auto read = parse_session(session_text(session));
    QVERIFY2(read && read->notes.empty(), read ? summary(read->notes).c_str() : "");
    QCOMPARE(read->session, session);
  }
};

VQSCOPE_TEST(GalleryStateTest)
#include "gallery_state_test.moc"
