// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/embedded_text.h"
#include "core/session/session_json.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope;

namespace {

Session curves() {
  Session session = default_session();
  session.current = "curves";
  session.subject.values.set("q_length", Index{77});
  return session;
}

}  // namespace

class EmbeddedSessionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void is_read_from_a_file_of_any_format() {
    const QTemporaryDir folder;
    const QByteArray marked = QByteArray::fromStdString(embedded_text(session_text(curves())));
    const std::pair<const char*, QByteArray> files[]{
        {"a.html", "<!DOCTYPE html><html><!-- " + marked + " --></html>"},
        {"a.svg", "<?xml version=\"1.0\"?><svg><metadata>" + marked + "</metadata></svg>"},
        {"a.png", "\x89PNG\r\n\x1a\n" + marked},
        {"a.pdf", "%PDF-1.4\n%" + marked},
        {"a.md", "# A report\n\n<!-- " + marked + " -->\n"}};
    for (const auto& [name, bytes] : files) {
      const std::string path = test::writtenFile(folder, name, bytes).toStdString();
      QVERIFY2(has_embedded_session(path), name);
      const auto opened = read_session(path);
      QVERIFY2(opened, name);
      QCOMPARE(opened->session, curves());
    }
  }

  void files_without_one_are_refused_as_what_they_are() {
    const QTemporaryDir folder;
    const std::string page = test::writtenFile(folder, "a.html", "<!DOCTYPE html><html></html>").toStdString();
    QVERIFY(!has_embedded_session(page));
    COMPARE_ERROR(read_session(page), page + " is an HTML page but must be a session (.vqscope)");
    const std::string damaged =
        test::writtenFile(folder, "b.html", "<!DOCTYPE html>vqscope-session:9999999:AAAA;").toStdString();
    QVERIFY(!has_embedded_session(damaged));
    COMPARE_ERROR(read_session(damaged), damaged + ": holds a session of 9999999 bytes, the limit is 3096");
    const std::string text = test::writtenFile(folder, "a.py", "# " + QByteArray("vqscope-session:")).toStdString();
    QVERIFY(!has_embedded_session(text));
    QVERIFY(!has_embedded_session(folder.filePath("missing.html").toStdString()));
  }
};

VQSCOPE_TEST(EmbeddedSessionTest)
#include "embedded_session_test.moc"
