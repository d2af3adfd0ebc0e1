// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

#include <span>
#include <string>

namespace vqscope {

/// A session that shows the views of a figure: each on its page, the first in front. Two views of
/// one method, or their difference, are a comparison. It has the figure's look, and its views as pins
/// unless the only one has no texts of its own.
Session figure_session(std::span<const FigurePanel> panels, const FigureSpec& spec);

/// The session as a text to embed in the figure's file, with which the file can be opened again;
/// empty if no page can show the first view, or if the session is larger than a picture should carry.
std::string embedded_figure_session(std::span<const FigurePanel> panels, const FigureSpec& spec);

}  // namespace vqscope
