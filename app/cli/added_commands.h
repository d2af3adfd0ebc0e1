// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "app/cli/command.h"
#include "core/method/method.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Keeps what a run has computed, while it goes on and at its end.
class ResultKeeper {
 public:
  ResultKeeper() = default;
  ResultKeeper(const ResultKeeper&) = delete;
  ResultKeeper& operator=(const ResultKeeper&) = delete;
  virtual ~ResultKeeper() = default;

  virtual void keep(const CurveSet& curves, bool complete) = 0;
  /// A note where the run was stopped and something is kept.
  virtual void reportStop() const = 0;
};

/// Commands that the parts of this build add.
struct AddedCommands {
  std::vector<const Command*> commands;   ///< at the end of the help
  std::vector<std::string_view> leftOut;  ///< names of the lab's commands in a build without the lab
  /// `export` of a method with a RunRecipe: reads its tensors, computes, and writes its outputs.
  Result<void> (*runMethod)(const Method& method, const ExportArguments& arguments) = nullptr;
  /// Keeps a run in `folder`; null if runs of the method are not kept. Method and values must
  /// outlive the result.
  std::unique_ptr<ResultKeeper> (*keepRun)(const std::string& folder, const Method& method,
                                           const ParameterValues& values) = nullptr;
};

/// Defined in app/parts.cpp, which is linked with the commands.
const AddedCommands& addedCommands();

}  // namespace vqscope
