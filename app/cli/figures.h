// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

namespace vqscope {

/// Sets the maker of figures; without it, commands refuse figures.
void useFigures(FigureMaker figures);
const FigureMaker& commandFigures();

}  // namespace vqscope
