// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// `vqscope recognise`: what a mask is, in few words and as text.
int runRecognise(const QStringList& arguments);

}  // namespace vqscope
