// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

#include <QSet>

namespace vqscope::monkey {

/// One of the things that a person does, chosen by their weights; those that go past the input are
/// left out while a dialog keeps them from a person.
void actOnce(Hands& hands, const QSet<QString>& without);

QStringList actionNames();

}  // namespace vqscope::monkey
