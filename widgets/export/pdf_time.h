// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace vqscope {

/// The PDF of QPdfWriter with a constant in place of the time of its making, so that equal figures
/// have equal bytes. How the time is written, and so its length, depends on the time zone: the
/// table of offsets is corrected.
QByteArray withoutTime(QByteArray pdf);

}  // namespace vqscope
