// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/editor/value_editor.h"

namespace vqscope {

/// Makes the editor for the kind of the parameter. `row` owns the editor and its widgets.
ValueEditor* makeValueEditor(const ParameterSpec& spec, QWidget* row);

}  // namespace vqscope
