// SPDX-License-Identifier: BSD-3-Clause
#include "mistake.hpp"

#include <fmt/format.h>

#include <array>

namespace heat {

namespace {

struct Description {
  Mistake mistake;
  const char* name;
  const char* what;
  const char* outcome;
};

constexpr std::array<Description, 4> descriptions{{
    {Mistake::dropped_handle, "dropped-handle", "one isend a step throws its handle away at once",
     "Waybill reports `dropped-handle` with the line of the isend; the message still goes and the "
     "result is right."},
    {Mistake::early_overwrite, "early-overwrite",
     "one send buffer a step is overwritten while its isend is in flight",
     "Waybill reports `send-buffer-modified` with the line of the isend at the check level "
     "`content` (WAYBILL_CHECK=content), and nothing below. Whether the result is right depends on "
     "the size of the message and on the MPI library."},
    {Mistake::missing_wait, "missing-wait", "one isend a step is never waited for",
     "at the end Waybill reports `never-waited` (or `unfinished-at-shutdown`) with the line of the "
     "isend; the result is right because the neighbours do wait."},
    {Mistake::overlapping, "overlapping",
     "one irecv a step writes the row or column that is being sent, instead of the halo beside it",
     "Waybill reports `overlapping-buffers` with the lines of both posts; the result is wrong."},
}};

}  // namespace

std::optional<Mistake> mistake_named(const std::string& name) {
  for (const Description& description : descriptions) {
    if (name == description.name) return description.mistake;
  }
  return std::nullopt;
}

std::vector<std::string> mistake_names() {
  std::vector<std::string> names;
  names.reserve(descriptions.size());
  for (const Description& description : descriptions) names.emplace_back(description.name);
  return names;
}

std::string announcement(Mistake mistake) {
  for (const Description& description : descriptions) {
    if (mistake != description.mistake) continue;
    return fmt::format("waybill-heat: mistake on purpose ({}): {}.\nwaybill-heat: expect: {}\n",
                       description.name, description.what, description.outcome);
  }
  return {};
}

}  // namespace heat
