// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/whole_file.h"
#include "core/output/export_request.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Larger files are written only when the request insists.
constexpr double most_export_bytes = 2147483648.0;

/// "csv", "npy", "json", "png", "svg", "pdf".
const std::vector<std::string>& export_suffixes();

/// The lower-case suffix of `path`, or an error that lists the six formats.
Result<std::string> export_format(const std::string& path);
bool is_figure_format(const std::string& format);

/// Bytes of the request's field or block as numbers; the field must exist. Exact for NPY, an upper
/// bound for CSV and JSON.
double export_size(const ExportRequest& request, const std::string& format);

/// Files to write, none of which has its name yet; errors name the path.
Result<WholeFiles> open_whole_files(const std::vector<std::string>& paths);

/// Writes the file atomically. Figures need a FigureMaker and the thread of its application;
/// numbers work on any thread. `progress` is called on the thread of the request's `offload`.
Result<void> export_file(const ExportRequest& request, const std::string& path,
                         const std::function<void(double)>& progress, std::stop_token stop);

/// All of them or none: suffixes, values, block and sizes (Errc::too_large) are checked first, and
/// each file is complete before the first appears under its name. After `write_files`, no file has
/// its name yet: call commit(), with files of several requests if needed.
Result<WholeFiles> write_files(const ExportRequest& request, const std::vector<std::string>& paths,
                               const std::function<void(double)>& progress, std::stop_token stop);
Result<void> export_files(const ExportRequest& request, const std::vector<std::string>& paths,
                          const std::function<void(double)>& progress, std::stop_token stop);

}  // namespace vqscope
