// SPDX-License-Identifier: GPL-3.0-or-later
// Contributions of an optional part of the program.
#pragma once

#include "core/method/method.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A file of `resources` as it was when the program was built.
struct CompiledFile {
  std::string_view name;  ///< without folder and suffix
  std::string_view text;
};

/// Methods of a page that belong together, under a title.
struct MethodGroup {
  std::string title;
  std::vector<std::string> methods;  ///< ids
};

/// A page of the window. It shows the methods whose category is its id.
struct PartPage {
  std::string id;
  std::string title;
  std::string help;
  ParameterValues first = {};            ///< initial values where the defaults would take too long
  bool shares = true;                    ///< takes values from the subject
  std::vector<MethodGroup> groups = {};  ///< all of its methods; empty: not grouped
};

/// A group of pages with one place in the window: Positions has a page for each kind of matrix.
struct RoomInfo {
  std::string id;
  std::string title;
  std::string help;
  std::vector<std::string> pages;  ///< ids of pages; the first is shown first
  bool lists_methods = false;      ///< whether the methods of its pages are listed beside them
};

/// A method, and the values with which it measures a page's mask.
struct MaskTest {
  std::string_view method;
  Result<ParameterValues> (*values)(const ParameterValues& mask) = nullptr;
};

struct Part {
  std::span<const Method> methods;
  std::vector<PartPage> pages;
  std::vector<RoomInfo> rooms;
  std::span<const CompiledFile> gallery;
  std::span<const CompiledFile> questions;  ///< presets of experiments
  std::string_view tensor_view;             ///< id of the method that shows queries, keys and values of a file
  MaskTest mask_test;
};

}  // namespace vqscope
