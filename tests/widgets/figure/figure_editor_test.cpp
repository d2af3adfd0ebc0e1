// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/figure_editor.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "widgets/figure/figure_export.h"
#include "widgets/figure/file_choice.h"
#include "widgets/figure/preset_row.h"
#include "widgets/figure/preview_area.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace vqscope;

namespace {

ExportTarget figureTarget(const char* id, const ParameterValues::Map& set, const std::optional<ViewRange>& view = {}) {
  return {find_method(id), default_values(find_method(id)->parameters, set), view};
}

ExportTarget buckets(const std::optional<ViewRange>& view = {}) {
  return figureTarget("t5_bucket", {{"q_length", Index{64}}}, view);
}

ShownPage comparedWith(CompareMode mode) {
  ShownPage look = default_page(page_infos().front());
  look.compare = mode;
  look.other =
      default_values(find_method("t5_bucket")->parameters, {{"q_length", Index{64}}, {"num_buckets", Index{16}}});
  return look;
}

/// The editor, and its parts by what they are called on screen.
struct ShownEditor {
  FigureEditor editor;

  explicit ShownEditor(const std::vector<ExportTarget>& targets, std::size_t asked = 0,
                       const FigureChoices& choices = {}, const ShownPage& look = default_page(page_infos().front()))
      : ShownEditor(figureViews(targets, asked, look, {}), {}, choices) {}
  ShownEditor(std::vector<FigureView> views, const std::vector<FigureOffer>& offers, const FigureChoices& choices = {})
      : editor(std::move(views), offers, choices, nullptr) {
    editor.show();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!editor.isBusy(), 60000); }
  ExportRequest request() const {
    const auto made = editor.request();
    return made ? *made : ExportRequest();
  }
  QRadioButton* radio(const QString& words) const {
    for (auto* each : editor.findChildren<QRadioButton*>())
      if (each->text() == words) return each;
    return nullptr;
  }
  QLineEdit* line(const QString& name) const {
    for (auto* each : editor.findChildren<QLineEdit*>())
      if (each->accessibleName() == name) return each;
    return nullptr;
  }
  QComboBox* box(const QString& name) const {
    for (auto* each : editor.findChildren<QComboBox*>())
      if (each->accessibleName() == name) return each;
    return nullptr;
  }
  QPushButton* button(const QString& words) const {
    for (auto* each : editor.findChildren<QPushButton*>())
      if (each->text() == words) return each;
    return nullptr;
  }
  QListWidget* list() const { return editor.findChild<QListWidget*>(); }
  PreviewArea* preview() const { return editor.findChild<PreviewArea*>(); }
  void tick(int row, bool on) const { list()->item(row)->setCheckState(on ? Qt::Checked : Qt::Unchecked); }
  /// The label beside the box of a format.
  QString sizeOf(const char* format) const {
    const auto* files = editor.findChild<FileChoice*>();
    const auto labels = files->findChildren<QLabel*>();
    const auto boxes = files->findChildren<QCheckBox*>();
    for (qsizetype i = 0; i < boxes.size(); ++i)
      if (boxes[i]->text() == QLatin1String(format)) return labels[i]->text();
    return {};
  }
  bool shows(const QString& words) const {
    return std::ranges::any_of(editor.findChildren<QLabel*>(),
                               [&](const QLabel* each) { return each->text().contains(words); });
  }
};

}  // namespace

class FigureEditorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void theLastChoicesAreTheFirst() {
    const FigureChoices last{
        .spec = {.width = 400, .dpi = 300, .axes = false, .dark = true}, .formats = {"svg", "csv"}, .folder = "/tmp"};
    ShownEditor s({buckets()}, 0, last);
    const FigureChoices kept = s.editor.choices();
    QVERIFY(kept.spec == last.spec);
    QCOMPARE(kept.formats, last.formats);
    QCOMPARE(kept.folder, last.folder);
  }

  void ranges() {
    QCOMPARE(*parseRange("12:40", 100, "rows"), (Range{12, 40}));
    QCOMPARE(*parseRange(":40", 100, "rows"), (Range{0, 40}));
    QCOMPARE(*parseRange("12:", 100, "rows"), (Range{12, 100}));
    QCOMPARE(*parseRange("  5 : 6 ", 100, "rows"), (Range{5, 6}));
    QCOMPARE(*parseRange("0:2147483648", 2147483648, "rows"), (Range{0, 2147483648}));
  }

  void rangeErrors_data() {
    QTest::addColumn<QString>("given");
    for (const char* given :
         {"", "5", "5:5", "6:5", "-1:5", "0:101", "a:b", "1:2:3", "1.5:3", "1:99999999999999999999"})
      QTest::newRow(*given ? given : "empty") << QString(given);
  }
  void rangeErrors() {
    QFETCH(QString, given);
    COMPARE_ERROR(parseRange(given, 100, "columns"), "columns is " + (given.isEmpty() ? "empty" : given.toStdString()) +
                                                         " but must be begin:end within 0:100");
  }

  /// The preview is the file.
  void previewHasTheBytesOfTheFile() {
    ShownEditor s({buckets()}, 0, {.spec = {.width = 317, .height = 240, .dpi = 144}});
    QCOMPARE(s.preview()->pixels(), QSize(476, 360));
    const std::vector panels{panel_of(s.request())};
    const auto png = renderFigure(panels, s.request().figure, "png", {});
    const auto svg = renderFigure(panels, s.request().figure, "svg", {});
    QVERIFY(png && svg);
    s.button("Copy PNG")->click();
    QCOMPARE(QApplication::clipboard()->mimeData()->data("image/png"), *png);
    s.button("Copy SVG")->click();
    QCOMPARE(QApplication::clipboard()->mimeData()->data("image/svg+xml"), *svg);
    QVERIFY(s.shows(QString::fromStdString(byte_count(static_cast<double>(png->size())))));
  }

  void previewFollowsTheLook() {
    ShownEditor s({buckets()});
    QCOMPARE(s.preview()->pixels(), QSize(1600, 1280));
    QComboBox* width = s.box("Width");
    QVERIFY(s.shows("KiB"));
    width->setEditText("100 px");
    const auto isOfFigure = [&](const char* format) { return s.sizeOf(format) == QChar(0x2026); };
    QVERIFY2(isOfFigure("PNG") && isOfFigure("SVG"), "the sizes are those of the figure before");
    s.settle();
    QVERIFY(s.sizeOf("PNG").endsWith("B"));
    QCOMPARE(s.preview()->pixels().width(), 200);
    width->setEditText("100 cm");
    QVERIFY(!s.button("Export…")->isEnabled());
    QVERIFY(s.shows("Width is 100 cm but must be a size such as 84mm"));
    width->setEditText("one column (84 mm)");
    QVERIFY(s.button("Export…")->isEnabled());
    QCOMPARE(s.request().figure.width, figure_points(84));
  }

  void labelsAreThoseOfTheView() {
    ShownEditor s({buckets()});
    QCOMPARE(s.line("Horizontal axis")->placeholderText(), QString("key position k"));
    s.line("Title")->setText("Ours ");
    s.line("Horizontal axis")->setText("key");
    QCOMPARE(s.line("Title")->text(), QString("Ours "));
    QVERIFY(s.request().labels == (FigureLabels{"Ours ", "key", ""}));
  }

  /// Cells that are in view in part are in it.
  void partsOfAMatrix() {
    ShownEditor s({buckets(ViewRange{10.5, 20.25, 3, 17})});
    QVERIFY(!s.request().cells);
    s.radio("visible range")->click();
    QCOMPARE(s.request().cells, std::optional(Rect{{10, 21}, {3, 17}}));
    QVERIFY(!s.request().look.view);
    s.radio("rows × columns")->click();
    QCOMPARE(s.line("Rows")->text(), QString("10:21"));
    s.line("Rows")->setText("3:9");
    s.line("Columns")->setText(":5");
    QCOMPARE(s.request().cells, std::optional(Rect{{3, 9}, {0, 5}}));
    s.line("Columns")->setText("60:70");
    QVERIFY2(!s.button("Export…")->isEnabled(), "columns beyond the matrix can be exported");
    s.radio("whole")->click();
    QVERIFY(!s.request().cells);
    QVERIFY(s.button("Export…")->isEnabled());
  }

  void curvesHaveNoBlocks() {
    ShownEditor s({buckets(), figureTarget("t5_staircase", {})}, 1);
    QCOMPARE(s.request().method->id, std::string("t5_staircase"));
    QVERIFY(!s.radio("visible range")->isEnabled() && !s.radio("rows × columns")->isEnabled());
  }

  void severalViewsAreOneFigure() {
    ShownEditor s({buckets(), figureTarget("t5_staircase", {})}, 0, {.formats = {"png", "csv"}});
    QCOMPARE(s.editor.formats(), (QStringList{"png", "csv"}));
    s.tick(1, true);
    QCOMPARE(s.request().panels.size(), std::size_t{1});
    QCOMPARE(s.editor.formats(), QStringList{"png"});
    s.settle();
    s.tick(0, false);
    s.tick(1, false);
    QVERIFY(s.shows("Choose at least one panel"));
    QVERIFY(!s.button("Export…")->isEnabled());
    QVERIFY2(!s.button("Copy PNG")->isEnabled(), "the figure before can be copied");
  }

  /// A pinned view has its texts and its part; those that are added are pinned.
  void pinnedViewsArePanels() {
    PinnedView pin = pinOf(figureViews({buckets()}, 0, {}, {}).front());
    pin.labels.title = "Ours";
    pin.view = ViewRange{0, 8, 4, 12};
    auto views = std::vector{figureView(pin)};
    views.front().isChosen = true;
    const FigureView staircase = figureViews({figureTarget("t5_staircase", {})}, 0, {}, {}).front();
    ShownEditor s(views, {{{}, staircase}, {"Buckets", staircase}});
    QCOMPARE(s.list()->item(0)->text(), QString("Ours"));
    QCOMPARE(s.request().cells, std::optional(Rect{{0, 8}, {4, 12}}));
    QVERIFY(s.editor.pins() == std::vector{pin});
    auto* menu = s.editor.findChild<QMenu*>();
    QCOMPARE(menu->actions().size(), 2);
    menu->actions().front()->trigger();
    menu->actions().back()->menu()->actions().front()->trigger();
    QCOMPARE(s.request().panels.size(), std::size_t{2});
    s.list()->item(2)->setText("Steps");
    QCOMPARE(s.request().panels[1].labels.title, std::string("Steps"));
    QCOMPARE(s.line("Title")->text(), QString("Steps"));
    s.list()->setCurrentRow(1);
    QTest::keyClick(s.list(), Qt::Key_Delete);
    s.list()->setCurrentRow(1);
    QTest::keyClick(s.list(), Qt::Key_Up, Qt::AltModifier);
    const auto kept = s.editor.pins();
    QCOMPARE(kept.size(), std::size_t{2});
    QCOMPARE(kept[0].labels.title, std::string("Steps"));
    QVERIFY(kept[1] == pin);
  }

  /// The height follows the grid until it is chosen.
  void automaticHeightSuitsThePanels() {
    ShownEditor s({buckets(), figureTarget("t5_staircase", {})}, 0);
    QCOMPARE(s.box("Height")->currentText(), QString("automatic"));
    QCOMPARE(s.request().figure.height, 640.0);
    s.tick(1, true);
    QCOMPARE(s.request().figure.height, suggested_figure_height(800, {1, 2}));
    s.box("Height")->setEditText("300 px");
    s.tick(1, false);
    QCOMPARE(s.request().figure.height, 300.0);
  }

  /// As they are on screen.
  void comparisonsHaveThreeViews() {
    ShownEditor beside({buckets(), buckets()}, 0, {}, comparedWith(CompareMode::side_by_side));
    QCOMPARE(beside.list()->count(), 3);
    QCOMPARE(beside.list()->item(2)->text(), QString::fromUtf8("A − B: num_buckets 32 − num_buckets 16"));
    QCOMPARE(beside.request().panels.size(), std::size_t{1});
    QCOMPARE(beside.request().panels[0].values.integer("num_buckets"), Index{16});
    ShownEditor difference({buckets()}, 0, {}, comparedWith(CompareMode::difference));
    QVERIFY(difference.request().panels.empty());
    QVERIFY(subtrahend(*difference.request().method, difference.request().look));
    QVERIFY(difference.editor.suggestedName().startsWith("t5_bucket_"));
  }

  void sidesWithoutANameAreNamedAsTheirViews() {
    ShownPage same = comparedWith(CompareMode::side_by_side);
    same.other = buckets().values;
    const auto views = figureViews({buckets(), buckets()}, 0, same, {});
    QCOMPARE(views[0].name, QString::fromUtf8("A: T5 bucket   T 64"));
    QCOMPARE(views[1].name, QString::fromUtf8("B: T5 bucket   T 64"));
    QCOMPARE(views[2].name, QString::fromUtf8("T5 bucket   A − B   T 64"));
  }

  void largeFilesAreSizedBeforeTheyAreWritten() {
    ShownEditor s({figureTarget("t5_bucket", {{"q_length", Index{2097152}}})}, 0, {.formats = {"npy"}});
    const double size = export_size(s.request(), "npy");
    QCOMPARE(size, 4 * 2097152.0 * 2097152.0 + 128);
    QVERIFY(s.shows(QString::fromUtf8("≤ ") + QString::fromStdString(byte_count(size))));
  }

  void presetsAreKeptAndChosen() {
    ShownEditor s({buckets()}, 0, {.spec = {.width = 400}});
    std::vector<FigurePreset> kept;
    QString step;
    connect(&s.editor, &FigureEditor::presetsEdited, &s.editor,
            [&](const QString& text, const std::vector<FigurePreset>& presets) {
              step = text;
              kept = presets;
              s.editor.setPresets(kept);
            });
    s.editor.findChild<PresetRow*>()->save(" paper ");
    QCOMPARE(step, QString("Save the figure preset paper"));
    QVERIFY(kept.size() == 1 && kept[0].name == "paper" && kept[0].spec.width == 400);
    QCOMPARE(s.box("Preset")->currentText(), QString("paper"));
    s.box("Width")->setEditText("500 px");
    QCOMPARE(s.box("Preset")->currentIndex(), -1);
    s.box("Preset")->setCurrentIndex(0);
    emit s.box("Preset")->activated(0);
    QCOMPARE(s.request().figure.width, 400.0);
    s.button("Delete")->click();
    QVERIFY(kept.empty());
  }

  /// A name with the suffix of another file is refused by the export, not by an exception.
  void aNameWithoutAFormatIsRefused() {
    ShownEditor s({buckets()}, 0, {.formats = {"png", "pdf"}});
    QTimer answer;
    connect(&answer, &QTimer::timeout, &answer, [&answer] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      answer.stop();
      dialog->selectFile(QDir(QDir::tempPath()).filePath("two.vqscope"));
      static_cast<QDialog*>(dialog)->accept();
    });
    answer.start(1);
    const auto written = exportFigure(s.editor, nullptr);
    QVERIFY(!written);
    QVERIFY(written.error().message.find("two.vqscope") != std::string::npos);
  }

  /// Sizes of files come when the figure is there: the dialog has its width by then.
  void sizesOfFilesDoNotWidenTheDialog() {
    QWidget dialog;
    FileChoice files(&dialog);
    const int least = files.minimumSizeHint().width();
    for (const char* format : {"png", "svg", "pdf", "csv", "npy", "json"})
      files.setSize(QLatin1String(format), QString::fromUtf8("≤ 999.9 MiB"));
    QCOMPARE(files.minimumSizeHint().width(), least);
    const auto boxes = files.findChildren<QCheckBox*>();
    files.resize(2 * least, 80);
    dialog.show();
    QTRY_COMPARE(boxes[2]->y(), boxes[0]->y());
    files.resize(least, 80);
    QTRY_COMPARE(boxes[2]->x(), boxes[0]->x());
  }

  void invalidValuesAreReported() {
    ShownEditor s({figureTarget("t5_bucket", {{"num_buckets", Index{3}}})});
    QTRY_VERIFY(s.shows("num_buckets is 3"));
  }
};

VQSCOPE_TEST(FigureEditorTest)
#include "figure_editor_test.moc"
