// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/shown_page.h"

class QString;
class QWidget;

namespace vqscope {

/// Writes the lists of blocks of the page's mask, of A where two are compared, as .npz or
/// .safetensors, under a progress bar that can cancel.
Result<void> writeBlockLists(const ShownPage& page, const QString& path, QWidget* window);

}  // namespace vqscope
