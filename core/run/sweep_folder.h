// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a sweep: sweep.json says which points there are, and each finished point is a file ID.json. Several
// processes may fill one folder: a file appears whole or not at all, and a point done twice is written twice alike.
#pragma once

#include "core/run/run_file.h"
#include "core/run/sweep.h"

#include <functional>
#include <string>
#include <string_view>

namespace vqscope {

/// {"vqscope_sweep": 1, "method", "set": {name: text}, "vary": [{"name", "values": [text]}]}: texts as `--set` takes
/// them.
std::string sweep_text(const Sweep& sweep);

/// What sweep_text wrote; `find` gives the method of an id, or an error. Errors name the member.
using FindMethod = std::function<Result<const Method*>(std::string_view id)>;
Result<Sweep> read_sweep(std::string_view text, const FindMethod& find);

/// The path of a point's run.
std::string run_path(const std::string& folder, const std::string& id);

/// Makes the folder where it is missing, and writes sweep.json or finds the same there. Errors name the path; a folder
/// with another sweep is refused.
Result<void> begin_sweep(const std::string& folder, const Sweep& sweep);

/// The sweep of a folder that begin_sweep began.
Result<Sweep> open_sweep(const std::string& folder, const FindMethod& find);

/// Whether the folder has a whole run of this point. One that cannot be read is to be done again.
bool is_finished(const std::string& folder, const SweepPoint& point);

/// Computes a point and leaves its file.
Result<void> carry_out(const std::string& folder, const Sweep& sweep, const SweepPoint& point,
                       const std::string& version, const Work& work);

}  // namespace vqscope
