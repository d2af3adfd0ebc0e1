// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/editor/value_editor.h"

namespace vqscope {

/// The editor that fits the kind; it belongs to `row`, as do its widgets.
ValueEditor* makeValueEditor(const ParameterSpec& spec, QWidget* row);

}  // namespace vqscope
