// SPDX-License-Identifier: BSD-3-Clause
#include "guard/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "guard/resolve.hpp"

namespace waybill::guard {

namespace {

/// More instructions than this with findings are looked up anew each time.
constexpr std::size_t max_remembered = 4096;

}  // namespace

std::string without_directories(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

SourceFrame exported_frame(std::uintptr_t instruction) {
  SourceFrame frame;
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(instruction), &found) == 0) {
    frame.offset = instruction;
    return frame;
  }
  frame.object = without_directories(found.dli_fname == nullptr ? "" : found.dli_fname);
  frame.offset = instruction - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  if (found.dli_sname != nullptr) frame.function = demangled(found.dli_sname);
  return frame;
}

/// A demangled name without its arguments would need a parser; the name is shown whole.
std::string describe(const SourceFrame& frame) {
  const std::string place = !frame.file.empty() ? fmt::format("{}:{}", frame.file, frame.line)
                            : !frame.object.empty()
                                ? fmt::format("{}+{:#x}", frame.object, frame.offset)
                                : fmt::format("{:#x}", frame.offset);
  return frame.function.empty() ? place : fmt::format("{} ({})", frame.function, place);
}

std::vector<SourceFrame> source_frames(std::uintptr_t instruction) {
  static std::mutex mutex;
  static std::map<std::uintptr_t, std::vector<SourceFrame>> remembered;
  const std::lock_guard lock(mutex);
  if (const auto known = remembered.find(instruction); known != remembered.end()) {
    return known->second;
  }
  std::vector<SourceFrame> frames = resolve(instruction);
  if (frames.empty()) frames.push_back(exported_frame(instruction));
  if (remembered.size() < max_remembered) remembered.emplace(instruction, frames);
  return frames;
}

}  // namespace waybill::guard
