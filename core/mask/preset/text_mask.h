// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/preset/presets.h"
#include "core/method/parameter.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// The parameter that holds the text.
ParameterSpec mask_text_parameter();

/// Whether these values describe a mask by a text: their own, or that of a preset that is one.
bool has_mask_text(const ParameterValues& values);

/// That text; for a preset with the terms of its sequence. Requires has_mask_text.
std::string mask_text_of(const ParameterValues& values);

/// Whether the text takes documents from outside: by q_doc, kv_doc or an array document_id that it
/// does not set itself.
bool text_reads_documents(const ParameterValues& values);

/// The shape of a text's mask that is an array, [q, kv] with b and h before them; empty: the mask is
/// a function of the cell, or the text cannot be read.
std::vector<Index> text_mask_shape(const ParameterValues& values);

/// The prefix of a text with the free name prefix_length, an integer or an array of the batch.
std::optional<Index> text_prefix_length(const ParameterValues& values);

/// The text's free integers and arrays as parameters, by free_name_key(), and `terms_off` where
/// there are terms or branches to leave out. None while the text cannot be read.
std::vector<ParameterSpec> mask_text_parameters(const ParameterValues& values);

/// Whether the text's mask is the function of this name, or what that function returns; with
/// several masks, the one that is shown. The error names the mask.
Result<void> check_mask_name(const ParameterValues& values, std::string_view name);

/// The values of a preset as values of an equal text, over the same sequence.
ParameterValues preset_as_text(const ParameterValues& values);

/// A free name of a text as an array, also where the text alone reads as if it were an integer.
ParameterSpec free_array_parameter(std::string_view name);

/// Error of the text: "mask_text, line 2, column 8: …"; its detail is the line with a caret below.
/// A text that needs the values of an array is valid.
Result<void> check_mask_text(const ParameterValues& values);

/// An error of the text as that of the file that it is from: "mask.py, line 2, column 8: …". Other
/// errors stay.
Error text_error_in(std::string_view file, const Error& error);

/// The line of an error of the text; nothing: the sentence is about something else.
std::optional<Index> text_error_line(std::string_view message);

/// Warnings of the text: valid but most likely not intended, a sentence each with its place.
std::vector<std::string> mask_text_warnings(const ParameterValues& values);

/// The error names the place in the text, or what is not given, or the first cell that has no
/// value.
Result<std::shared_ptr<const Mask>> make_text_mask(const ParameterValues& values, const SequenceLayout& layout,
                                                   const std::stop_token& stop = {});

/// A number that a mask's text calls a window: SLIDING_WINDOW = 128.
struct NamedWindow {
  std::string name;
  Index value = 0;
};

/// A free integer whose name has "window" in it, else one that the text sets; nothing where there
/// is none or several.
std::optional<NamedWindow> named_window(const ParameterValues& values);

}  // namespace vqscope
