// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a command line that gives the same numbers and pictures as a page.
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <optional>
#include <string>

namespace vqscope {

/// ` --set NAME=VALUE` for each value that differs from its default.
std::string set_arguments(const Method& method, const ParameterValues& values);

/// The same for the expected mask of the mask that `values` describe.
std::string lint_arguments(const ParameterValues& lint, const Method& method, const ParameterValues& values);

/// Options that read the file of several samples, ` --batch-file FILE` or ` --mask FILE`, and choose
/// the sample and the head unless all are meant.
std::string batch_arguments(const BatchChoice& choice, bool all);

/// ` --minus NAME=VALUE` for values that differ between the two.
std::string minus_arguments(const Method& method, const ParameterValues& values, const ParameterValues& minus);

/// Options for the look of a figure that differs from the default: `--rows`, `--cols`,
/// `--aggregate`, `--colour-map`, `--square` of a matrix of that extent, `--log` of curves.
std::string look_arguments(const Method& method, const ShownPage& look, const std::optional<Extent>& extent);

/// A view for `vqscope export` and its `--panel`: the method, its values, those of the matrix that the
/// look subtracts, and the look. `file`: options that give what `values` leave out.
std::string view_arguments(const Method& method, const ParameterValues& values, const ShownPage& look,
                           const std::optional<Extent>& extent, const std::string& file = {});

/// ` --tokens TEXTS` if the method shows tokens on an axis, and some are known.
std::string token_arguments(const Method& method, const ParameterValues& values, const TokenTexts& tokens);

}  // namespace vqscope
