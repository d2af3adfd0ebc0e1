// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/chance.h"

#include <QStringList>

namespace vqscope::monkey {

/// A text of the mask language, or what a person types on the way to one.
QString maskText(Chance& chance);
/// Texts for a box of numbers: mostly numbers, at the edges of their ranges and beyond.
QString numberText(Chance& chance);
/// Texts that are valid nowhere.
QString garbage(Chance& chance);
/// Any of them, as for a box that is not known.
QString anyText(Chance& chance);

}  // namespace vqscope::monkey
