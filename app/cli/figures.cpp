// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figures.h"

#include <utility>

namespace vqscope {
namespace {

FigureMaker& inUse() {
  static FigureMaker figures;
  return figures;
}

}  // namespace

void useFigures(FigureMaker figures) { inUse() = std::move(figures); }
const FigureMaker& commandFigures() { return inUse(); }

}  // namespace vqscope
