// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Files that are written at the end of a long run.

#include <string>

namespace bench {

/// Why @p path cannot be written, as one line, or nothing. Leaves what is there,
/// and nothing where nothing was.
[[nodiscard]] std::string unwritable(const std::string& path);
/// Why it could not be written, or nothing.
[[nodiscard]] std::string write_file(const std::string& path, const std::string& text);
/// "out.svg" and "latency" make "out-latency.svg".
[[nodiscard]] std::string path_for(const std::string& path, const std::string& test);

}  // namespace bench
