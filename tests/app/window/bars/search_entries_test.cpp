// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/search_entries.h"

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey.h"
#include "core/session/session.h"
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"

#include <QAction>
#include <QMenuBar>
#include <QTest>

#include <algorithm>
#include <set>

using namespace vqscope;

namespace {

/// A menu of one action, and what the entries do.
struct Found {
  QMenuBar menus;
  QMenu pins;
  int triggered = 0;
  std::string method;
  std::pair<std::string, QString> parameter;
  ValueTarget value;
  QString gallery;
  QString file_;
  std::pair<QString, QString> guide;
  std::string encoding, question;
  QAction copy{"Copy table as Markdown"};
  std::vector<SearchEntry> entries;

  Found() {
    QMenu* file = menus.addMenu("&File");
    file->addAction("&Save", QKeySequence("Ctrl+S"), [this] { ++triggered; });
    file->addSeparator();
    file->addMenu("&Theme")->addAction("&Dark");
    SearchTargets targets;
    targets.openMethod = [this](const std::string& id) { method = id; };
    targets.openEncoding = [this](const SurveyRow& row) { encoding = row.id; };
    targets.openQuestion = [this](const ExperimentPreset& preset) { question = preset.id; };
    targets.tableCopies = {{"Survey", &copy}};
    targets.goToParameter = [this](const std::string& page, const QString& name) { parameter = {page, name}; };
    targets.setValue = [this](const ValueTarget& target) { value = target; };
    targets.openGallery = [this](const QString& id) { gallery = id; };
    targets.openGuide = [this](const QString& page, const QString& anchor) { guide = {page, anchor}; };
    pins.setTitle("Pin a curve");
    pins.addMenu("Rotary")->addAction("RoPE wavelength", [this] { ++triggered; });
    targets.openFile = [this](const QString& path) { file_ = path; };
    targets.recent = {{"/home/ada/qwen/config.json", {}}, {"/home/ada/gemma/config.json", {}}};
    targets.room = "masks";
    QMenu* masks = menus.addMenu("&Masks");
    masks->addAction("&Import mask…");
    masks->addAction("Survey of position encodings…")->setEnabled(false);
    hideFromSearch(*masks->addMenu("Recent"));
    entries = searchEntries(menus, {&pins}, targets);
  }
  const SearchEntry* entry(const QString& title) const {
    const auto found = std::ranges::find_if(
        entries, [&](const SearchEntry& each) { return each.title == title || each.name == title; });
    return found == entries.end() ? nullptr : &*found;
  }
  /// The entry that Enter runs.
  const SearchEntry& best(const QString& typed) const {
    const auto hits = searchIndexOf(entries).find(typed.toStdString());
    if (hits.empty()) qFatal("nothing matches %s", qPrintable(typed));
    return entries[hits.front().index];
  }
};

}  // namespace

class SearchEntriesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void actionsOfAllMenus() {
    const Found s;
    const auto* save = s.entry("Save");
    QVERIFY(save && s.entry("Theme: Dark") && !s.entry("Theme"));
    QCOMPARE(save->keys, QString("Ctrl+S"));
    QCOMPARE(save->detail, QString());
    QCOMPARE(s.entry("Theme: Dark")->detail, QString("Theme menu"));
    save->run();
    QCOMPARE(s.triggered, 1);
    s.best("pin wavelength").run();
    QCOMPARE(s.triggered, 2);
  }

  void methodsByTitleAndName() {
    const Found s;
    const auto* alibi = s.entry("alibi");
    QVERIFY(alibi);
    QCOMPARE(alibi->title, QString::fromStdString(find_method("alibi")->title));
    alibi->run();
    QCOMPARE(s.method, std::string("alibi"));
    // A run of files alone has no view.
    for (const auto& method : methods())
      QCOMPARE(std::ranges::count_if(s.entries,
                                     [&](const SearchEntry& each) {
                                       return each.kind == SearchKind::method && each.name.toStdString() == method.id;
                                     }),
               method.field() || method.curves() ? 1 : 0);
  }

  void parametersOfTheirPage() {
    const Found s;
    const auto* beta = s.entry("beta_fast");
    QVERIFY(beta);
    QVERIFY2(beta->detail.endsWith(" parameter"), qPrintable(beta->detail));
    beta->run();
    QCOMPARE(s.parameter.second, QString("beta_fast"));
    QVERIFY(find_page_info(s.parameter.first));
    s.best("document_lengths").run();
    QCOMPARE(s.parameter.second, QString("document_lengths"));
    QVERIFY2(s.parameter.first != "model", "a page without a form");
  }

  /// yarn_ramp was listed once for each page that has it.
  void entriesAreUnique() {
    const Found s;
    std::set<std::pair<QString, QString>> seen;
    for (const auto& entry : s.entries)
      QVERIFY2(seen.emplace(entry.title + "  " + entry.name, entry.detail).second,
               qPrintable(entry.title + " / " + entry.detail));
  }

  void valuesAreFound() {
    const Found s;
    s.best("rope_type yarn").run();
    QCOMPARE(s.value.parameter + "=" + s.value.value, std::string("rope_type=yarn"));
    QVERIFY(find_method(s.value.method));
    s.best("packed").run();
    QCOMPARE(s.value.method + ":" + s.value.parameter + "=" + s.value.value, std::string("visibility:mask=packed"));
    QCOMPARE(s.best("dark").title, QString("Theme: Dark"));
    QCOMPARE(s.best("rope type yarn").title, QString("rope_type = yarn"));
    QCOMPARE(s.best("rope_theta").name, QString("rope_theta"));
    QCOMPARE(s.best("rope_cos").name, QString("rope_cos"));
    QCOMPARE(s.best("q_length").name, QString("q_length"));
  }

  /// What people type, and what Enter then does.
  void naturalQueries() {
    const Found s;
    s.best("yarn").run();
    QCOMPARE(s.encoding, std::string("yarn"));
    QVERIFY(s.best("yarn").detail.startsWith("RoPE phase in "));
    QCOMPARE(s.best("copy table").title, QString("Copy table as Markdown: Survey"));
    QCOMPARE(s.best("markdown").title, QString("Copy table as Markdown: Survey"));
    QCOMPARE(s.best("alibi").name, QString("alibi"));
    QCOMPARE(s.best("sliding window").name, QString("sliding_window"));
    QCOMPARE(s.best("save").title, QString("Save"));
    QCOMPARE(s.best("alibi slopes").name, QString("slopes"));
    QCOMPARE(s.best("import npy").title, QString("Import mask…"));
    if (!test::has_lab()) return;
    s.best("who extrapolates").run();
    QCOMPARE(s.question, std::string("train_short_test_long"));
    s.best("passkey cache").run();
    QCOMPARE(s.question, std::string("vq_cache_use"));
    QCOMPARE(s.best("kv cache").name, QString("kv_cache"));
  }

  void galleryAndGuide() {
    const Found s;
    s.best("window off by one").run();
    QCOMPARE(s.gallery, QString("window_off_by_one"));
    s.best("is my packed mask right").run();
    QCOMPARE(s.guide.first, QString("masks"));
    QVERIFY(!s.guide.second.isEmpty());
    s.best("glossary").run();
    QCOMPARE(s.guide.first, QString("glossary"));
    // 39408 is the number of an issue, which occurs only in the source of an entry.
    QCOMPARE(s.best("39408").title, QString("Window off by one"));
  }

  /// Two files of one name are told apart by their folders, and found by them.
  void recentFiles() {
    const Found s;
    QCOMPARE(s.best("config.json").name, QString("/home/ada/qwen"));
    s.best("config gemma").run();
    QCOMPARE(s.file_, QString("/home/ada/gemma/config.json"));
    QCOMPARE(s.best("gemma config").section, QString("Recent files"));
  }

  void sectionsOfTheRoom() {
    const Found s;
    QCOMPARE(s.entry("Import mask…")->section, QString("In Masks"));
    QCOMPARE(s.entries[0].section, QString("Recent files"));
    QCOMPARE(s.entries[2].title, QString("Import mask…"));
    QVERIFY(s.entry("Survey of position encodings…")->section.isEmpty());
    QVERIFY(!s.entry("Survey of position encodings…")->enabled);
    QVERIFY(!s.entry("Recent"));
    QCOMPARE(s.best("npy").title, QString("Import mask…"));
    QCOMPARE(s.entry("visibility")->section, QString("Views"));
    QVERIFY(s.entry("alibi")->section.isEmpty());
  }
};

VQSCOPE_TEST(SearchEntriesTest)
#include "search_entries_test.moc"
