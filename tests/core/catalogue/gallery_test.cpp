// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/gallery.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/field/field.h"
#include "tests/core/catalogue/gallery_files.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

Result<GalleryEntry> read(const char* change_from, const char* change_to) {
  std::string json =
      R"({"order": 1, "title": "T", "note": "N.", "try": "Y.", "source": "S", "page": "masks", "method": "visibility",
          "values": {"mask": "custom", "mask_text": ["def mask_mod(b, h, q_idx, kv_idx):", "    return q_idx - kv_idx < window"],
                     "text.window": 8}, "compare": "difference", "other": {"text.window": 9}, "expect": {"window": 8}})";
  const auto at = json.find(change_from);
  Q_ASSERT(at != std::string::npos);
  return read_gallery_entry("x", json.replace(at, std::string_view(change_from).size(), change_to));
}

/// At the cost of a thumbnail, without error.
void check_picture(const Method& method, const ParameterValues& values, const std::string& id) {
  SummaryOptions options;
  options.max_cells = 1 << 14;
  if (method.field()) {
    const auto field = make_field(method, values);
    QVERIFY2(field, field ? "" : (id + ": " + field.error().message).c_str());
    const Extent extent = (*field)->extent();
    Summary summary;
    const TileGrid grid{even_edges({0, extent.rows}, 64), even_edges({0, extent.cols}, 64)};
    const auto done = (*field)->summarize(grid, options, summary);
    QVERIFY2(done, done ? "" : (id + ": " + done.error().message).c_str());
  } else if (method.curves() && method.curves()->origin != CurveOrigin::measured) {
    const auto curves = make_curves(method, values);
    QVERIFY2(curves, curves ? "" : (id + ": " + curves.error().message).c_str());
    QVERIFY(!curves->curves.empty());
  }
}

}  // namespace

class GalleryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_file_is_an_entry() {
    const auto pages = test::pages_of_gallery_files("resources/gallery", 18);
    QCOMPARE(pages, (std::set<std::string>{"model", "masks", "positions"}));
  }

  void each_has_its_texts_and_its_place() {
    std::set<Index> orders;
    for (const GalleryEntry& entry : gallery_entries()) {
      QVERIFY2(entry.title.size() <= 32 && entry.note.size() <= 200, entry.id.c_str());
      QVERIFY2(entry.note.ends_with('.') && entry.what_to_try.ends_with('.'), entry.id.c_str());
      QVERIFY2(orders.insert(entry.order).second, entry.id.c_str());
    }
  }

  void each_can_be_shown() {
    for (const GalleryEntry& entry : gallery_entries()) {
      for (const std::string& config : entry.configs)
        QVERIFY2(QFile::exists(test::sourcePath("resources/configs/" + QString::fromStdString(config) + ".json")),
                 config.c_str());
      if (entry.picture.method) check_picture(*entry.picture.method, entry.picture.complete(), entry.id);
      if (!entry.shown.method) continue;
      const Method& method = *entry.shown.method;
      for (const ParameterValues& values : {entry.values(), entry.other_values()}) {
        const auto checked = check_method_values(method, values);
        QVERIFY2(checked, checked ? "" : (entry.id + ": " + checked.error().message).c_str());
      }
      check_picture(method, entry.values(), entry.id);
      if (entry.compare != GalleryCompare::none) {
        QVERIFY2(entry.values() != entry.other_values(), entry.id.c_str());
        check_picture(method, entry.other_values(), entry.id);
      }
      if (method.curves() && method.curves()->origin == CurveOrigin::measured)
        QVERIFY2(entry.kept.has_value(), entry.id.c_str());
    }
  }

  /// The two sides of a mask entry must differ in a cell.
  void the_bugs_are_visible() {
    for (const GalleryEntry& entry : gallery_entries()) {
      if (entry.page != "masks" || entry.compare == GalleryCompare::none) continue;
      const auto a = make_field(*entry.shown.method, entry.values());
      const auto b = make_field(*entry.shown.method, entry.other_values());
      QVERIFY(a && b);
      Index differing = 0;
      for (Index q = 0; q < (*a)->extent().rows; q += 3)
        for (Index k = 0; k < (*a)->extent().cols; ++k) differing += (*a)->at(q, k) != (*b)->at(q, k) ? 1 : 0;
      QVERIFY2(differing > 0, entry.id.c_str());
    }
    const GalleryEntry& window = **require_gallery_entry("window_off_by_one");
    const auto field = make_field(*window.shown.method, window.values());
    Index seen = 0;
    for (Index k = 0; k < 512; ++k) seen += (*field)->at(300, k) > 0 ? 1 : 0;
    QCOMPARE(seen, Index{129});
  }

  void free_names_and_lines() {
    const auto entry = read("N.", "N.");
    QVERIFY2(entry, entry ? "" : entry.error().message.c_str());
    QCOMPARE(entry->values().text("mask_text"),
             std::string("def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < window\n"));
    QCOMPARE(entry->values().integer("text.window"), Index{8});
    QCOMPARE(entry->other_values().integer("text.window"), Index{9});
    QCOMPARE(entry->expect.integer("window"), Index{8});
    QCOMPARE(entry->shown.values.map().size(), std::size_t{3});
  }

  void refused() {
    COMPARE_ERROR(read("\"title\": \"T\", ", ""), "title is missing but must be a text");
    COMPARE_ERROR(read("\"order\": 1", "\"order\": true"), "order is missing but must be an integer");
    COMPARE_ERROR(read("\"note\"", "\"notes\""), "unknown key notes");
    COMPARE_ERROR(read("\"masks\"", "\"mask\""), "page is mask but must be one of " + join(gallery_pages(), ", "));
    COMPARE_ERROR(read("\"difference\"", "\"minus\""),
                  "compare is \"minus\" but must be none, side_by_side or difference");
    COMPARE_ERROR(read("\"text.window\": 8", "\"text.windw\": 8"), "unknown parameter text.windw in values");
    COMPARE_ERROR(read("\"expect\": {\"window\"", "\"expect\": {\"widow\""), "unknown parameter widow in expect");
    COMPARE_ERROR(read("\"compare\"", "\"view\": [0, 1, 2], \"compare\""),
                  "view is a list of 3 items but must be first row, last row, first column, last column");
    COMPARE_ERROR(read("\"compare\"", "\"configs\": [], \"compare\""),
                  "configs is a list of 0 items but must be a list of one or two names");
    COMPARE_ERROR(read("\"compare\"", "\"kept\": {\"x\": [1, 2], \"curves\": [[1]]}, \"compare\""),
                  "kept: a curve has 1 numbers but must have 2 like x");
    COMPARE_ERROR(
        require_gallery_entry("window_off_by_on"),
        "unknown gallery entry window_off_by_on; did you mean window_off_by_one?" + std::string(left_out_remark()));
  }
};

VQSCOPE_TEST(GalleryTest)
#include "gallery_test.moc"
