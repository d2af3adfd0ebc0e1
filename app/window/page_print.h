// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

#include <vector>

class QPrinter;
class QWidget;

namespace vqscope {

/// Prints views as a figure that fills the page, light whatever the theme of the window. The window
/// stays alive under a progress bar that can cancel. Fails if the figure does or the printer does not
/// begin; cancelled: Errc::cancelled.
Result<void> printFigure(const std::vector<FigurePanel>& panels, QPrinter& printer, QWidget* window);

}  // namespace vqscope
