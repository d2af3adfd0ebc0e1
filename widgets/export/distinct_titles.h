// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// The titles "Mask   T 512 · window 64" of panels that are too narrow for them: without the name and
/// the values that all of them have, and without a value that begins another one. One that would be
/// empty is its name.
QStringList distinctTitles(const QStringList& titles);

}  // namespace vqscope
