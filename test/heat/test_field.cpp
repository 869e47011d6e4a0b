// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <vector>

#include "field.hpp"
#include "stencil.hpp"
#include "support/catch.hpp"

using heat::Field;
using heat::Neighbours;
using heat::Region;
using heat::Side;

namespace {

using View = waybill::StridedView<double>;

void copy(const View& from, const View& to) {
  REQUIRE(from.rows == to.rows);
  REQUIRE(from.columns == to.columns);
  for (std::size_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.first + row * from.row_stride, from.columns, to.first + row * to.row_stride);
  }
}

Neighbours neighbours(unsigned bits) {
  Neighbours result;
  for (const Side side : heat::sides) {
    if ((bits >> heat::index(side) & 1U) != 0) result[heat::index(side)] = 1;
  }
  return result;
}

heat::Picture pattern(std::size_t width, std::size_t height) {
  heat::Picture picture{width, height, 8, {}};
  for (std::size_t at = 0; at < width * height; ++at) {
    picture.cells.push_back(static_cast<double>(at * 7919 % 256) / 255.0);
  }
  return picture;
}

View part(heat::Picture& picture, const heat::Block& block) {
  return waybill::block(picture.cells.data(), picture.width, block.row, block.column, block.rows,
                        block.columns);
}

/// The parallel program with copies instead of messages.
heat::Picture diffuse_in_blocks(heat::Picture picture, int processes, int steps, double alpha) {
  const auto grid = heat::process_grid(processes, picture.width, picture.height);
  REQUIRE(grid);
  std::vector<std::unique_ptr<Field>> fields;
  std::vector<heat::Block> blocks;
  for (int rank = 0; rank < processes; ++rank) {
    blocks.push_back(heat::block_of(rank, *grid, picture.width, picture.height));
    fields.push_back(std::make_unique<Field>(blocks.back(), heat::neighbours_of(rank, *grid)));
    copy(part(picture, blocks.back()), fields.back()->own());
    fields.back()->settle();
  }
  for (int step = 0; step < steps; ++step) {
    for (const auto& field : fields) field->update_interior(alpha);
    for (int rank = 0; rank < processes; ++rank) {
      for (const Side side : heat::sides) {
        const auto other = heat::neighbours_of(rank, *grid)[heat::index(side)];
        if (!other) continue;
        copy(fields[static_cast<std::size_t>(*other)]->edge(heat::opposite(side)),
             fields[static_cast<std::size_t>(rank)]->halo(side));
      }
    }
    for (const auto& field : fields) field->update_rim(alpha);
    for (const auto& field : fields) field->advance();
  }
  for (std::size_t rank = 0; rank < fields.size(); ++rank) {
    copy(fields[rank]->own(), part(picture, blocks[rank]));
  }
  return picture;
}

}  // namespace

TEST_CASE("field: interior and rim cover every moving cell exactly once") {
  for (std::size_t rows = 1; rows <= 6; ++rows) {
    for (std::size_t columns = 1; columns <= 6; ++columns) {
      for (unsigned bits = 0; bits < 16; ++bits) {
        const Field field({0, 0, rows, columns}, neighbours(bits));
        std::vector<int> updates((rows + 2) * (columns + 2), 0);
        const auto count = [&](const Region& region) {
          for (std::size_t row = region.row_begin; row < region.row_end; ++row) {
            for (std::size_t column = region.column_begin; column < region.column_end; ++column) {
              ++updates[row * (columns + 2) + column];
            }
          }
        };
        count(field.interior());
        for (const Region& strip : field.rim()) count(strip);
        const Neighbours around = neighbours(bits);
        for (std::size_t row = 0; row < rows + 2; ++row) {
          for (std::size_t column = 0; column < columns + 2; ++column) {
            const bool own = row >= 1 && row <= rows && column >= 1 && column <= columns;
            const bool fixed = (row == 1 && !around[heat::index(Side::north)]) ||
                               (row == rows && !around[heat::index(Side::south)]) ||
                               (column == 1 && !around[heat::index(Side::west)]) ||
                               (column == columns && !around[heat::index(Side::east)]);
            INFO(rows << " x " << columns << " neighbours " << bits << " at " << row << ", "
                      << column);
            if (updates[row * (columns + 2) + column] != (own && !fixed ? 1 : 0)) FAIL("wrong");
          }
        }
      }
    }
  }
}

TEST_CASE("field: the interior needs no halo") {
  for (std::size_t size = 1; size <= 6; ++size) {
    const Region interior = Field({0, 0, size, size}, neighbours(15)).interior();
    if (interior.empty()) continue;
    CHECK(interior.row_begin > 1);
    CHECK(interior.row_end < size + 1);
    CHECK(interior.column_begin > 1);
    CHECK(interior.column_end < size + 1);
  }
}

TEST_CASE("field: blocks give bit for bit the serial solution") {
  for (const int processes : {1, 2, 3, 4, 6, 7, 12}) {
    for (const std::size_t width : {7U, 12U, 33U}) {
      for (const std::size_t height : {12U, 25U}) {
        const heat::Picture start = pattern(width, height);
        INFO(processes << " processes on " << width << " x " << height);
        CHECK(diffuse_in_blocks(start, processes, 30, 0.2).cells ==
              heat::diffuse_serially(start, 30, 0.2).cells);
      }
    }
  }
}

TEST_CASE("field: one process per cell") {
  const heat::Picture start = pattern(4, 3);
  CHECK(diffuse_in_blocks(start, 12, 10, 0.25).cells ==
        heat::diffuse_serially(start, 10, 0.25).cells);
}
