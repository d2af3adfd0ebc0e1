// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_export.h"

#include "app/window/main_window.h"
#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "widgets/export/figure.h"
#include "widgets/figure/figure_editor.h"
#include "widgets/parts/message_bar.h"

#include <QAction>
#include <QApplication>
#include <QListWidget>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace vqscope;

namespace {

ParameterValues maskValues(const char* mask) {
  ParameterValues values;
  values.set("mask", std::string(mask));
  values.set("q_length", Index{32});
  return values;
}

struct ExportWindow {
  MainWindow window;

  ExportWindow() { window.show(); }

  bool showMask(const char* mask) {
    return window.workbench().choose("Show", "masks", *find_method("visibility"), maskValues(mask)).has_value();
  }
  void trigger(const QString& words) {
    for (auto* action : window.findChildren<QAction*>())
      if (action->text().remove(QLatin1Char('&')) == words) return action->trigger();
    QFAIL(qPrintable("no action " + words));
  }
  const std::vector<PinnedView>& pins() { return window.workbench().session().pins; }
  /// Opens the editor and closes it after `act`.
  void inEditor(const std::function<void(FigureEditor&)>& act) {
    QTimer waiting;
    int seen = 0;
    QObject::connect(&waiting, &QTimer::timeout, &waiting, [&] {
      auto* editor = qobject_cast<FigureEditor*>(QApplication::activeModalWidget());
      if (!editor || seen++) return;
      act(*editor);
      editor->reject();
    });
    waiting.start(1);
    trigger("Export…");
    QCOMPARE(seen, 1);
  }
  QString shownMessage() const { return window.findChild<MessageBar*>()->sentence(); }
};

QListWidget& listOf(const FigureEditor& editor) { return *editor.findChild<QListWidget*>(); }

}  // namespace

class PageExportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void threeMasksAreOneFigure() {
    ExportWindow s;
    for (const char* mask : {"causal", "bidirectional", "sliding_window"}) {
      QVERIFY(s.showMask(mask));
      QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
      s.trigger("Pin this view for a figure");
    }
    QCOMPARE(s.pins().size(), std::size_t{3});
    s.trigger("Pin this view for a figure");
    QCOMPARE(s.pins().size(), std::size_t{3});
    s.inEditor([](FigureEditor& editor) {
      const auto request = editor.request();
      QVERIFY(request);
      QCOMPARE(request->values.text("mask"), std::string("causal"));
      QCOMPARE(request->panels.size(), std::size_t{2});
      QCOMPARE(request->panels[1].values.text("mask"), std::string("sliding_window"));
      listOf(editor).setCurrentRow(0);
      QTest::keyClick(&listOf(editor), Qt::Key_Down, Qt::AltModifier);
      listOf(editor).item(0)->setText("All");
    });
    QCOMPARE(s.pins()[0].values.text("mask"), std::string("bidirectional"));
    QCOMPARE(s.pins()[0].labels.title, std::string("All"));
    s.window.workbench().undo();
    QCOMPARE(s.pins()[0].values.text("mask"), std::string("causal"));
  }

  /// A view that is not pinned is beside the pinned ones, without a tick.
  void theViewOnScreenCanBeAdded() {
    ExportWindow s;
    QVERIFY(s.showMask("causal"));
    s.trigger("Pin this view for a figure");
    QVERIFY(s.showMask("bidirectional"));
    s.inEditor([](FigureEditor& editor) {
      QCOMPARE(listOf(editor).count(), 2);
      QCOMPARE(listOf(editor).item(1)->checkState(), Qt::Unchecked);
    });
    QCOMPARE(s.pins().size(), std::size_t{1});
  }

  void blockListsOfTheShownMask() {
    ExportWindow s;
    QVERIFY(s.showMask("causal"));
    const QTemporaryDir folder;
    const QString path = folder.filePath("blocks.safetensors");
    QSignalSpy told(&s.window.exporter(), &PageExport::notified);
    s.window.exporter().writeBlockListsTo(path);
    QCOMPARE(told.size(), 1);
    QVERIFY2(told.front().front().toString().startsWith("Wrote " + path), qPrintable(told.front().front().toString()));
    s.window.exporter().writeBlockListsTo(folder.filePath("blocks.csv"));
    QVERIFY(told.back().front().toString().startsWith("block_mask is written to .npz or .safetensors, "));
  }

  void aFigureOpensWithAllItsPanels() {
    std::vector<FigurePanel> panels;
    for (const char* mask : {"causal", "bidirectional", "causal"}) {
      const Method* method = find_method("visibility");
      panels.push_back({.method = method, .values = carried_values(*method, maskValues(mask))});
    }
    panels[2].labels.title = "Again";
    const FigureSpec spec{.width = 500, .height = 200, .font_size = 7, .legend = false};
    QTemporaryDir folder;
    for (const char* format : {"png", "svg", "pdf"}) {
      const auto bytes = renderFigure(panels, spec, format, {});
      QVERIFY(bytes);
      QFile file(folder.filePath(QStringLiteral("figure.") + format));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(*bytes);
      file.close();
      ExportWindow s;
      s.window.openFile(file.fileName());
      QTRY_COMPARE_WITH_TIMEOUT(s.pins().size(), std::size_t{3}, 60000);
      QCOMPARE(s.window.workbench().session().current, std::string("masks"));
      QTRY_COMPARE(s.shownMessage(), QString("This figure has 3 panels; Ctrl+E shows them"));
      QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
      s.inEditor([&](FigureEditor& editor) {
        const auto request = editor.request();
        QVERIFY(request);
        QVERIFY(request->figure == spec);
        QCOMPARE(request->panels.size(), std::size_t{2});
        QCOMPARE(request->panels[1].labels.title, std::string("Again"));
        std::vector<FigurePanel> again{panel_of(*request)};
        again.insert(again.end(), request->panels.begin(), request->panels.end());
        QVERIFY(*renderFigure(again, request->figure, format, {}) == *bytes);
      });
    }
  }
};

VQSCOPE_TEST(PageExportTest)
#include "page_export_test.moc"
