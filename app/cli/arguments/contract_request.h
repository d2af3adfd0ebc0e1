// SPDX-License-Identifier: GPL-3.0-or-later
// What commands have in common that look at a mask and at what is wanted of it.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/lint/contract_case.h"
#include "widgets/parts/file_name.h"

namespace vqscope {

/// `--objective X` is `--set objective=X`.
template <class Arguments>
Option<Arguments> statedOption(const char* name) {
  return {true, [name](Arguments& arguments, const QString& value) -> Result<void> {
            arguments.settings.push_back({.name = name, .value = bytesOf(value), .stated = true});
            return {};
          }};
}

/// methodOptions(), --objective, --window and --prefix.
template <class Arguments>
OptionTable<Arguments> contractOptions() {
  auto table = methodOptions<Arguments>();
  table["--objective"] = statedOption<Arguments>("objective");
  table["--window"] = statedOption<Arguments>("window");
  table["--prefix"] = statedOption<Arguments>("prefix_length");
  return table;
}

/// The mask, and what is stated of it: in the session first, then by settings, which set both alike.
Result<ContractCase> contractRequest(const MethodArguments& arguments);

}  // namespace vqscope
