// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of a gallery file that hold values.
#pragma once

#include "core/catalogue/gallery_entry.h"
#include "core/io/json/config_value.h"

#include <span>

namespace vqscope {

/// The values of an object, each of one of `specs`.
Result<ParameterValues> read_set_values(std::span<const ParameterSpec> specs, const ConfigValue& json);

/// Values of the method, with those that a mask's text brings along; `beneath` are set already. They pass the
/// method's check together.
Result<ParameterValues> read_gallery_values(const Method& method, const ConfigValue& json,
                                            const ParameterValues& beneath = {});

/// {"method": "t5_bucket", "values": {"q_length": 256}}.
Result<GalleryPicture> read_gallery_picture(const ConfigValue& json);

/// {"log_x": true, "x": [1, 2], "curves": [[3, 4], [5, null]], "mark": 1}: all that a thumbnail needs; null is a gap.
Result<CurveSet> read_kept_curves(const ConfigValue& json);

}  // namespace vqscope
