// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/search_entries.h"

#include "core/catalogue/registry.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"

#include <QAction>
#include <QMenuBar>
#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

/// A menu of one action, and what the entries do.
struct Found {
  QMenuBar menus;
  int triggered = 0;
  std::string method;
  std::pair<std::string, QString> parameter;
  std::vector<SearchEntry> entries;

  Found() {
    QMenu* file = menus.addMenu("&File");
    file->addAction("&Save", QKeySequence("Ctrl+S"), [this] { ++triggered; });
    file->addSeparator();
    file->addMenu("&More")->addAction("&Deep");
    entries = searchEntries(
        menus, [this](const std::string& id) { method = id; },
        [this](const std::string& page, const QString& name) {
          parameter = {page, name};
        });
  }
  const SearchEntry* entry(const QString& title) const {
    const auto found = std::ranges::find(entries, title, &SearchEntry::title);
    return found == entries.end() ? nullptr : &*found;
  }
};

}  // namespace

class SearchEntriesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void actionsOfAllMenus() {
    const Found s;
    const auto* save = s.entry("Save");
    QVERIFY(save && s.entry("Deep") && !s.entry("More"));
    QCOMPARE(save->detail, QString("Ctrl+S"));
    save->run();
    QCOMPARE(s.triggered, 1);
  }

  void methodsByTitleAndName() {
    const Found s;
    const auto* alibi = s.entry(QString::fromStdString(find_method("alibi")->title + "  alibi"));
    QVERIFY(alibi);
    alibi->run();
    QCOMPARE(s.method, std::string("alibi"));
    // A run of files alone has no view.
    for (const auto& method : methods())
      QCOMPARE(s.entry(QString::fromStdString(method.title + "  " + method.id)) != nullptr,
               method.field() || method.curves());
  }

  void parametersOfTheirPage() {
    const Found s;
    const auto* beta = s.entry("beta_fast");
    QVERIFY(beta);
    QVERIFY2(beta->detail.endsWith(" parameter"), qPrintable(beta->detail));
    beta->run();
    QCOMPARE(s.parameter.second, QString("beta_fast"));
    QVERIFY(find_workspace_info(s.parameter.first));
  }
};

VQSCOPE_TEST(SearchEntriesTest)
#include "search_entries_test.moc"
