// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope recognise`: describe a mask in a few words and as text.
int runRecognise(const QStringList& arguments);

}  // namespace vqscope
