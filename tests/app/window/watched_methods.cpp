// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/watched_methods.h"

#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"

#include <mutex>
#include <thread>

namespace vqscope::test {
namespace {

/// Abandoned work of a page may still run after the watch has ended.
struct Calls {
  std::mutex mutex;
  int made = 0;
  std::vector<std::string> here;
  std::map<std::string, int> requested_here;
  std::thread::id gui;
};

Calls& calls() {
  static Calls all;
  return all;
}

void count(const std::string& what) {
  const std::lock_guard lock(calls().mutex);
  ++calls().made;
  if (std::this_thread::get_id() == calls().gui) calls().here.push_back(what);
}

void count_requested(const std::string& id) {
  const std::lock_guard lock(calls().mutex);
  if (std::this_thread::get_id() == calls().gui) ++calls().requested_here[id];
}

/// The registry's row, which nothing but a test changes.
Method& row(const Method& method) { return const_cast<Method&>(method); }

template <class Recipe>
void watch(Recipe& recipe, const std::string& id) {
  recipe.make = [make = recipe.make, id](const ParameterValues& values, const Work& work) {
    count(id);
    return make(values, work);
  };
}

}  // namespace

WatchedMethods::WatchedMethods() {
  forget();
  for (const Method& each : methods()) {
    m_own.push_back(each);
    Method& method = row(each);
    if (auto* field = std::get_if<FieldRecipe>(&method.recipe)) watch(*field, method.id);
    if (auto* curves = std::get_if<CurveRecipe>(&method.recipe)) watch(*curves, method.id);
    if (method.free_parameters)
      method.free_parameters = [free = method.free_parameters, id = method.id](const ParameterValues& values) {
        count_requested(id);
        return free(values);
      };
    if (method.remark)
      method.remark = [remark = method.remark, id = method.id](const ParameterValues& values, const Work& work) {
        count(id + ", remark");
        return remark(values, work);
      };
  }
}

WatchedMethods::~WatchedMethods() {
  auto own = m_own.begin();
  for (const Method& each : methods()) {
    row(each).recipe = std::move(own->recipe);
    row(each).free_parameters = std::move(own->free_parameters);
    row(each).remark = std::move(own->remark);
    ++own;
  }
}

int WatchedMethods::made() const {
  const std::lock_guard lock(calls().mutex);
  return calls().made;
}

std::vector<std::string> WatchedMethods::made_here() const {
  const std::lock_guard lock(calls().mutex);
  return calls().here;
}

std::map<std::string, int> WatchedMethods::requested_here() const {
  const std::lock_guard lock(calls().mutex);
  return calls().requested_here;
}

void WatchedMethods::forget() {
  const std::lock_guard lock(calls().mutex);
  calls().made = 0;
  calls().here.clear();
  calls().requested_here.clear();
  calls().gui = std::this_thread::get_id();
}

}  // namespace vqscope::test
