// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/model_page.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/model/layer_table.h"
#include "widgets/model/model_view.h"
#include "widgets/model/reach_panel.h"

#include <QCheckBox>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

using namespace vqscope;

namespace {

struct ShownModel {
  Workbench bench;
  ModelPage page{bench, *find_page_info("model"), nullptr};

  ShownModel() {
    QObject::connect(&bench, &Workbench::changed, &page, &ModelPage::sync);
    QObject::connect(&bench, &Workbench::opened, &page, &ModelPage::forget);
    page.resize(1300, 700);
    page.sync();
    page.show();
    set("layers", std::string("2*(sliding:16,full); rope"));
    set("q_length", Index{512});
  }
  void set(const char* name, ParameterValue value) {
    ShownPage next = bench.page("model");
    next.values.set(name, std::move(value));
    const auto done = bench.edit(name, next);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
  }
  void drag(std::initializer_list<int> steps) {
    QSlider& slider = *view().reach().findChild<QSlider*>();
    slider.setSliderDown(true);
    for (const int step : steps) slider.setValue(step);
    slider.setSliderDown(false);
  }
  ModelView& view() { return *page.view(); }
  int steps() { return bench.undoStack().count(); }
};

}  // namespace

class ModelPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aDragOfTheQueryIsOneStep() {
    ShownModel s;
    const int before = s.steps();
    QCOMPARE(s.view().query(), Index{511});
    s.drag({400, 300, 200});
    QCOMPARE(s.steps(), before + 1);
    QCOMPARE(s.view().query(), Index{200});
    s.drag({300, 250});
    QCOMPARE(s.steps(), before + 2);
    s.bench.undo();
    QCOMPARE(s.view().query(), Index{200});
    s.bench.undo();
    QCOMPARE(s.view().query(), Index{511});
    QVERIFY(!s.bench.page("model").own.find("query"));
    s.drag({300, 511});  // back where it began
    QCOMPARE(s.view().query(), Index{511});
  }

  /// A cell that is named, of the cache and behind it.
  void theQueryIsCountedBehindTheCache() {
    ShownModel s;
    s.set("past_len", Index{100});
    QVERIFY(s.page.goTo({150, 0}));
    QCOMPARE(s.view().query(), Index{150});
    QCOMPARE(s.bench.page("model").values.integer("query"), Index{50});
  }

  /// The rule of documents is one step, and leaves the query automatic.
  void aRuleIsOneStep() {
    ShownModel s;
    s.set("document_lengths", std::vector<Index>{300, 212});
    const int before = s.steps();
    for (auto* rule : s.view().reach().findChildren<QCheckBox*>())
      if (rule->isVisible() && rule->text() == "full") rule->click();
    QCOMPARE(s.steps(), before + 1);
    QCOMPARE(s.bench.undoStack().undoText(), QString("Change document_rule"));
    QVERIFY(!s.bench.page("model").own.find("query"));
    s.bench.undo();
    for (auto* rule : s.view().reach().findChildren<QCheckBox*>())
      if (rule->isVisible()) QVERIFY(rule->isChecked());
  }

  void layersOpenTheirViews() {
    ShownModel s;
    QSignalSpy requested(&s.page, &PageWidget::viewRequested);
    emit s.view().maskRequested(0);
    QCOMPARE(requested.last()[0].toString(), QString("visibility"));
    QCOMPARE(requested.last()[1].value<ParameterValues>().integer("sliding_window"), Index{16});
    emit s.view().phasesRequested(1);
    QCOMPARE(requested.last()[0].toString(), QString("rope_phase"));
    emit s.view().maskRequested(99);
    QCOMPARE(requested.size(), 2);
  }

  /// Another session without a model has no layers of the former.
  void anotherSessionHasNoLayers() {
    ShownModel s;
    QCOMPARE(s.view().currentIndex(), 1);
    s.bench.setSession(default_session());
    QCOMPARE(s.view().currentIndex(), 0);
    QVERIFY(s.view().schedule().layers.empty());
    QVERIFY(!s.view().reach().content());
  }
};

VQSCOPE_TEST(ModelPageTest)
#include "model_page_test.moc"
