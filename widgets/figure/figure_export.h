// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QStringList>

class QWidget;

namespace vqscope {

class FigureEditor;

/// Asks for the path of the first file; the others have its name with their own suffixes. Writes all
/// of them or none, with a progress bar that can cancel; the parent's window stays responsive.
/// Returns the paths, none if cancelled, or the error.
Result<QStringList> exportFigure(const FigureEditor& editor, QWidget* parent);

}  // namespace vqscope
