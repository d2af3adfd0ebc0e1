// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a page in a file.
#pragma once

#include "core/io/json/config_value.h"
#include "core/session/notes.h"
#include "core/session/session.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Content of a file for all its pages.
struct PageFormat {
  bool all_values = false;  ///< format 1 lists all values of a page; those at their default were not set
  Subject subject;
};

/// The members of an object by name; the last one of duplicates.
using Members = std::map<std::string, const ConfigValue*, std::less<>>;

Members members_of(const ConfigValue& json);
const ConfigValue* member(const Members& members, std::string_view name);

/// A page that is read; what is invalid is noted under its title.
struct PageReader {
  const PageInfo& info;
  const PageFormat& format;
  Notes& notes;
  ShownPage page;
  std::set<std::string> set_aside = {};  ///< names of values that are set and not shown, which is valid
  const char* side = "";                 ///< named in notes

  void note(const std::string& sentence);
  /// "view is 3, must be an object; it was left out".
  void refuse(const std::string& key, const ConfigValue& given, const std::string& expected,
              const std::string& instead);
  /// None without an object.
  Members members_at(const std::string& key, const ConfigValue& json);
  void note_unknown(const Members& members, const std::vector<std::string>& known, const std::string& what);
};

/// Values set on the page; completes side A.
void read_own(PageReader& reader, const std::string& key, const ConfigValue& json);
/// Values that the file does not name are those of A. None of side B is set aside: it is saved as
/// it is shown.
void read_other(PageReader& reader, const std::string& key, const ConfigValue& json);
void read_lint(PageReader& reader, const std::string& key, const ConfigValue& json);

}  // namespace vqscope
