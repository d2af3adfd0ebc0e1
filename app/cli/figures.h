// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

namespace vqscope {

/// What the commands make figures with, set by a program that can; without it they refuse figures.
void useFigures(FigureMaker figures);
const FigureMaker& commandFigures();

}  // namespace vqscope
