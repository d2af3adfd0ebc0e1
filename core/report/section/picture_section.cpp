// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/report/section/shown.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_pictures = 4;
constexpr std::size_t largest_vector = 250'000;  // bytes; a larger picture is one of pixels
constexpr int picture_width = 840;
constexpr int picture_height = 600;
constexpr int curve_height = 440;
constexpr int picture_dpi = 144;
constexpr int least_picture_dpi = 96;
constexpr double smaller = 0.7;
constexpr std::size_t most_picture_bytes = 600'000;  // of all pictures, so that a report is below a megabyte

/// One picture of a page.
struct PictureOf {
  std::string name;  ///< "A", or that of a linked map; empty: it is the only one
  const Method* method = nullptr;
  ParameterValues values;
  std::shared_ptr<const Field> field = nullptr;
};

std::vector<PictureOf> pictures_of(const ReportShown& shown) {
  if (shown.other)
    return {{"A", shown.method, shown.values, shown.field},
            {"B", shown.method, carried_values(*shown.method, shown.page.other), shown.other}};
  const bool is_plain = shown.page.compare == CompareMode::none;
  std::vector<PictureOf> all;
  if (shown.field && is_plain)
    for (const auto& linked : shown.method->field()->linked) {
      const Method* method = find_method(linked.method);
      if (!method || all.size() == most_pictures) continue;
      ParameterValues values = carried_values(*method, shown.values);
      for (const auto& [name, value] : linked.with.map()) values.set(name, value);
      all.push_back({linked.title, method, std::move(values)});
    }
  if (all.empty()) all.push_back({"", shown.method, shown.values, shown.field});
  return all;
}

std::string how_to_read(const ReportShown& shown, const PictureOf& picture) {
  std::string text = picture.name.empty() ? std::string() : picture.name + ": ";
  if (!picture.method->field()) return as_sentence(text + shown.curves->y_title + " over " + shown.curves->x_title);
  const FieldRecipe& recipe = *picture.method->field();
  text += fmt::format("{} from top to bottom: {}; columns from left to right: {}.",
                      picture.name.empty() ? "Rows" : "rows", recipe.row_title, recipe.col_title);
  if (shown.mask)
    text +=
        " A visible key has the colour of the legend's first entry; a masked one the colour of the term that masks it.";
  if (shown.page.compare == CompareMode::difference) text += " Cells are A minus B.";
  return text;
}

std::string alt_of(const ReportShown& shown, const PictureOf& picture) {
  std::string text = picture.name.empty() ? picture.method->title : picture.name + " of " + picture.method->title;
  text += picture.method->field() ? ", a map of " + size_text(shown) : ", a plot of " + size_text(shown);
  if (shown.words && shown.words->fits) text += ": " + shown.words->sentence;
  return text + ". Its numbers stand in the tables of this report.";
}

/// The bytes and the format of a figure that has at most `most` bytes, as far as that is possible: a
/// drawing, else pixels, else a smaller picture.
Result<std::pair<std::string, std::string>> make_within(const FigureMaker& maker, ExportRequest& request,
                                                        const MadeBefore& made, std::size_t most, const Work& work) {
  auto drawing = maker.make(request, made, "svg", work.stop);
  if (!drawing) return drawing.error();
  if (drawing->size() <= std::min(most, largest_vector)) return std::pair(std::move(*drawing), std::string("svg"));
  auto pixels = maker.make(request, made, "png", work.stop);
  if (pixels && pixels->size() > most) {
    request.figure.dpi = least_picture_dpi;
    request.figure.width *= smaller;
    request.figure.height *= smaller;
    pixels = maker.make(request, made, "png", work.stop);
  }
  if (!pixels) return pixels.error();
  return std::pair(std::move(*pixels), std::string("png"));
}

Result<ReportPicture> make_picture(const ReportShown& shown, const PictureOf& picture, std::size_t most,
                                   const Work& work) {
  ExportRequest request{.method = picture.method, .values = picture.values, .look = shown.page};
  request.look.method = picture.method->id;
  if (shown.other) request.look.compare = CompareMode::none;
  request.figure.width = picture_width;
  request.figure.height = picture.method->field() ? picture_height : curve_height;
  request.figure.dpi = picture_dpi;
  request.tokens = shown.request->session.subject.tokens;
  request.offload = shown.request->offload;
  const MadeBefore made{picture.field, picture.method == shown.method ? shown.curves : nullptr};
  const auto& maker = shown.request->figures;
  auto light = make_within(maker, request, made, most, work);
  if (!light) return light.error();
  auto& [bytes, format] = *light;
  ReportPicture block{alt_of(shown, picture), how_to_read(shown, picture),
                      format == "svg" ? "image/svg+xml" : "image/png", std::move(bytes)};
  if (2 * block.bytes.size() > most) return block;
  request.figure.dark = true;
  auto dark = maker.make(request, made, format, work.stop);
  if (!dark) return dark.error();
  block.dark_bytes = std::move(*dark);
  return block;
}

}  // namespace

Result<ReportSection> picture_section(const ReportShown& shown, const Work& work) {
  ReportSection section{.title = "The picture"};
  const auto& maker = shown.request->figures;
  if (!maker.make) {
    section.add(ReportText{"The program that wrote this report makes no pictures; the session in it has them."});
    return section;
  }
  if (maker.begin) maker.begin();
  const auto pictures = pictures_of(shown);
  for (const auto& picture : pictures) {
    auto made = make_picture(shown, picture, most_picture_bytes / pictures.size(), work);
    if (!made) return made.error();
    section.add(std::move(*made));
  }
  return section;
}

}  // namespace vqscope
