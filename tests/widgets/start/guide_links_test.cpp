// SPDX-License-Identifier: GPL-3.0-or-later
// The links of the guide into the program.
#include "core/catalogue/gallery.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/guide/guide_pages.h"

#include <QRegularExpression>
#include <QTest>

using namespace vqscope;

class GuideLinksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Without the lab, a link may lead to a page, an entry or a method of the lab; the window
  /// reports that.
  void eachOpensSomething() {
    const bool complete = left_out_remark().empty();
    static const QRegularExpression link(QStringLiteral("\\]\\(vqscope:([a-z]+)/([^)]*)\\)"));
    int links = 0;
    for (const GuidePage& page : guidePages())
      for (auto each = link.globalMatch(page.markdown); each.hasNext(); ++links) {
        const auto match = each.next();
        const QString kind = match.captured(1);
        const std::string id = match.captured(2).toStdString();
        const auto pages = gallery_pages();
        const bool known = kind == "page"      ? !complete || std::ranges::count(pages, id) == 1
                           : kind == "gallery" ? !complete || require_gallery_entry(id).has_value()
                           : kind == "method"  ? !complete || find_method(id) != nullptr
                                               : false;
        QVERIFY2(known, qPrintable(page.id + ": " + match.captured(0)));
      }
    QVERIFY(links >= 20);
  }

  /// F1 opens the page of the room that is shown.
  void everyRoomHasAPage() {
    for (const std::string& room : gallery_pages()) QVERIFY2(findGuidePage(QString::fromStdString(room)), room.c_str());
  }
};

VQSCOPE_TEST(GuideLinksTest)
#include "guide_links_test.moc"
