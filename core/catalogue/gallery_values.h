// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of a gallery file that hold values.
#pragma once

#include "core/io/json/config_value.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// How an entry shows its two sides.
enum class GalleryCompare { none, side_by_side, difference };

/// A method with the values that differ from its defaults.
struct GalleryPicture {
  const Method* method = nullptr;
  ParameterValues values;

  /// With the defaults of all other parameters, and `also` over them.
  ParameterValues complete(const ParameterValues& also = {}) const;
};

/// Something to look at, ready made: a file of resources/gallery. Its JSON has `order`, `title`,
/// `note`, `try`, `source` and `page`; then `method`, `values`, `compare`, `other`, `expect` and
/// `view`, or `configs`; and `picture` or `kept` if the thumbnail is not that of the method. A
/// value that is a text of several lines may be a list of lines.
struct GalleryEntry {
  std::string id;  ///< the file's name without .json
  Index order = 0;
  std::string title;
  std::string note;         ///< what to see
  std::string what_to_try;  ///< one sentence
  std::string source;       ///< paper, or issue in which it happened
  std::string page;         ///< of gallery_pages()
  GalleryPicture shown;     ///< method: null, if the entry opens configs
  GalleryCompare compare = GalleryCompare::none;
  ParameterValues other;             ///< values of side B that differ from those of side A
  ParameterValues expect;            ///< lint settings of a mask, those that are set
  std::vector<double> view;          ///< first row, last row, first column, last column in cells; empty: everything
  std::vector<std::string> configs;  ///< one or two names of resources/configs, without .json
  GalleryPicture picture;            ///< of the thumbnail, if `shown` is not a picture
  std::optional<CurveSet> kept;      ///< curves of an earlier run, for the thumbnail of a measurement

  /// Complete values of both sides.
  ParameterValues values() const { return shown.complete(); }
  ParameterValues other_values() const { return shown.complete(other); }
};

/// The values of an object, each of one of `specs`.
Result<ParameterValues> read_set_values(std::span<const ParameterSpec> specs, const ConfigValue& json);

/// Values of the method, with those that a mask's text brings along; `beneath` are the values set
/// before. They pass the method's check together.
Result<ParameterValues> read_gallery_values(const Method& method, const ConfigValue& json,
                                            const ParameterValues& beneath = {});

/// {"method": "t5_bucket", "values": {"q_length": 256}}.
Result<GalleryPicture> read_gallery_picture(const ConfigValue& json);

/// {"log_x": true, "x": [1, 2], "curves": [[3, 4], [5, null]], "mark": 1}: all that a thumbnail
/// needs; null is a gap.
Result<CurveSet> read_kept_curves(const ConfigValue& json);

}  // namespace vqscope
