// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/embedded_text.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/embed/base64.h"
#include "core/io/zip/deflated.h"
#include "core/io/zip/inflated.h"

#include <memory>

namespace vqscope {
namespace {

constexpr std::string_view marker = "vqscope-session:";
constexpr char separator = ':';
constexpr char terminator = ';';
constexpr std::size_t longest_size = 12;  // digits

struct EmbeddedPart {
  std::uint64_t size = 0;   ///< of the text
  std::string_view base64;  ///< of the deflated text
};

/// The part behind a marker; nothing if what stands there is prose about the marker.
std::optional<EmbeddedPart> part_at(std::string_view rest) {
  const auto digits = rest.substr(0, longest_size + 1).find(separator);
  if (digits == std::string_view::npos) return std::nullopt;
  const auto size = parse_index(rest.substr(0, digits));
  const auto end = rest.find(terminator, digits);
  if (!size || *size < 0 || end == std::string_view::npos) return std::nullopt;
  const auto base64 = rest.substr(digits + 1, end - digits - 1);
  if (!is_base64(base64)) return std::nullopt;
  return EmbeddedPart{static_cast<std::uint64_t>(*size), base64};
}

/// No part reaches beyond the next marker: each byte is read once, however many markers there are.
std::optional<EmbeddedPart> last_part(std::string_view bytes) {
  for (auto at = bytes.rfind(marker); at != std::string_view::npos; at = bytes.rfind(marker)) {
    if (const auto part = part_at(bytes.substr(at + marker.size()))) return part;
    bytes = bytes.substr(0, at);
  }
  return std::nullopt;
}

}  // namespace

std::string embedded_text(std::string_view text) {
  return fmt::format("{}{}{}{}{}", marker, text.size(), separator, to_base64(deflate_bytes(text)), terminator);
}

Result<std::optional<std::string>> find_embedded_text(std::string_view bytes, std::uint64_t most) {
  const auto part = last_part(bytes);
  if (!part) return std::optional<std::string>();
  const std::string packed = from_base64(part->base64);
  if (part->size > most || part->size > packed.size() * most_expansion)
    return Error{Errc::too_large,
                 fmt::format("holds a session of {} bytes, the limit is {}", part->size,
                             std::min<std::uint64_t>(most, packed.size() * most_expansion)),
                 {}};
  std::string text(static_cast<std::size_t>(part->size), '\0');
  const auto source = std::make_shared<MemorySource>(packed);
  if (auto read = InflatedSource(source, part->size).read(0, text); !read)
    return invalid("holds a session that {}", read.error().message);
  return std::optional<std::string>(std::move(text));
}

}  // namespace vqscope
