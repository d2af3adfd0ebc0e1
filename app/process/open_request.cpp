// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/open_request.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::string_view greeting = "vqscope-open 1 ";
constexpr std::size_t longestHead = 32;
constexpr std::size_t mostPaths = 64;
constexpr std::size_t longestPath = 4096;
constexpr std::size_t longestToken = 256;

Error damaged() { return invalid("not a request to open files"); }

/// A path of a request, or the reason to refuse all of it.
bool isRequestPath(std::string_view path) { return path.starts_with('/') && path.size() <= longestPath; }

bool isToken(std::string_view token) {
  return token.size() <= longestToken && std::ranges::all_of(token, [](char c) { return c > ' ' && c < 127; });
}

Result<std::optional<OpenRequest>> decodeBody(std::string_view body) {
  const auto fields = split(body, '\0');
  if (fields.size() < 2 || fields.size() > mostPaths + 1 || !isToken(fields.front())) return damaged();
  OpenRequest request{std::string(fields.front()), {fields.begin() + 1, fields.end()}};
  if (!std::ranges::all_of(request.paths, isRequestPath)) return damaged();
  return std::optional(std::move(request));
}

}  // namespace

std::string encodeRequest(const OpenRequest& request) {
  std::string body = isToken(request.token) ? request.token : std::string();
  for (const auto& path : request.paths) body += '\0' + path;
  return std::string(greeting) + std::to_string(body.size()) + '\n' + body;
}

Result<std::optional<OpenRequest>> decodeRequest(std::string_view bytes) {
  const auto line = bytes.substr(0, longestHead).find('\n');
  if (line == std::string_view::npos) {
    const auto same = std::min(bytes.size(), greeting.size());
    if (bytes.size() >= longestHead || bytes.substr(0, same) != greeting.substr(0, same)) return damaged();
    return std::optional<OpenRequest>();
  }
  if (!bytes.starts_with(greeting)) return damaged();
  const auto size = parse_index(bytes.substr(greeting.size(), line - greeting.size()));
  if (!size || *size < 1 || *size > static_cast<Index>(mostRequestBytes)) return damaged();
  const std::string_view body = bytes.substr(line + 1);
  if (body.size() > static_cast<std::size_t>(*size)) return damaged();
  if (body.size() < static_cast<std::size_t>(*size)) return std::optional<OpenRequest>();
  return decodeBody(body);
}

}  // namespace vqscope
