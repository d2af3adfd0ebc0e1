// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/import/mask_file.h"
#include "core/mask/preset/presets.h"
#include "core/method/parameter.h"

#include <memory>
#include <optional>
#include <span>

namespace vqscope {

/// `mask_rows`, the cells, and `mask_inverted`, for a file that was read the wrong way round.
std::vector<ParameterSpec> imported_mask_parameters();

/// "-1e30 -inf": numbers as mask_values keeps them, and back. The error names the number.
std::string numbers_text(std::span<const double> numbers);
Result<std::vector<double>> numbers_of(const std::string& name, const std::string& text);

/// Whether these values describe a mask by its cells.
bool has_imported_mask(const ParameterValues& values);

/// Number of rows of the cells in `mask_rows`, as far as the list is one of runs.
Index imported_row_count(const ParameterValues& values);

/// A mask as `mask_rows`: for each run of equal rows how many they are, how many intervals each
/// sees, and begin and end of these. Errc::too_large when there are more numbers than a session
/// keeps, or it takes too long to read them.
Result<std::vector<Index>> mask_rows_of(const Mask& mask, const std::stop_token& stop = {});

/// Description of the file of these values; for an inverted mask with the other polarity, then
/// stated.
std::optional<MaskFile> imported_file(const ParameterValues& values);

/// Those that make the mask of `visibility`'s `values` this one: its rows, its lengths with the
/// last query at the last key, what its file was, and no padding or documents of another sequence.
Result<ParameterValues> with_imported_mask(const ParameterValues& values, const Mask& mask,
                                           const std::optional<MaskFile>& file = {}, const std::stop_token& stop = {});

/// The error names the list or the length that does not fit it, or is that of a stop.
Result<std::shared_ptr<const Mask>> make_imported_mask(const ParameterValues& values, const Extent& extent,
                                                       const std::stop_token& stop = {});

}  // namespace vqscope
