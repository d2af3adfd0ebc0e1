// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/checked_sweep.h"

#include "core/base/text.h"
#include "core/io/bytes/whole_file.h"
#include "core/run/sweep_folder.h"
#include "core/run/sweep_table.h"

#include <filesystem>
#include <system_error>

namespace vqscope {

CheckedSweepResult checkSweep(const SweepPlan& plan, const std::string& folder, const std::stop_token& stop) {
  if (plan.varied.empty() && plan.seeds < 2)
    return Error{Errc::not_found, "Enter a parameter that varies, or more than one seed."};
  auto sweep = sweep_of(plan, stop);
  if (!sweep) return sweep.error();
  if (!folder.empty() && folder.front() != '/')
    return invalid("the folder of results is " + shortened(folder, 200) + " but must be an absolute path");
  auto checked = std::make_shared<CheckedSweep>();
  checked->plan = plan;
  checked->folder = folder.empty() ? default_sweep_folder(*sweep) : folder;
  if (checked->folder.empty()) return invalid("there is no home folder for the results: choose a folder");
  auto finished = finished_points(checked->folder, *sweep, stop);
  if (!finished) return finished.error();
  checked->finished = std::move(*finished);
  checked->sweep = std::make_shared<const Sweep>(std::move(*sweep));
  return std::shared_ptr<const CheckedSweep>(std::move(checked));
}

Result<double> writeMerged(const Sweep& sweep, const std::string& folder, const std::string& path,
                           const std::stop_token& stop) {
  auto file = WholeFile::open(path);
  if (!file) return file.error();
  const auto report = merge_sweep(sweep, {folder}, **file, stop);
  if (!report) return report.error();
  WholeFiles files;
  files.push_back(std::move(*file));
  if (auto done = commit(files); !done) return done.error();
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  return failed ? 0 : static_cast<double>(size);
}

}  // namespace vqscope
