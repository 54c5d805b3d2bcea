#include "tests/support/emulated_tiles.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <ucontext.h>

namespace ddx::testing {
namespace {

constexpr int rows_of_tile = 16;
constexpr int bytes_of_row = 64;
constexpr int tile_count = 8;

struct Tile {
  alignas(64) std::array<std::array<std::byte, bytes_of_row>, rows_of_tile> rows;
};

/// What LDTILECFG reads.
struct Configuration {
  std::uint8_t palette;
  std::uint8_t start_row;
  std::array<std::uint8_t, 14> reserved;
  std::array<std::uint16_t, 16> row_bytes;
  std::array<std::uint8_t, 16> rows;
};
static_assert(sizeof(Configuration) == 64);

/// The state of a thread. Without a configuration, no tile has rows.
struct Tiles {
  Configuration configuration;
  std::array<Tile, tile_count> tiles;

  [[nodiscard]] int rows(int tile) const {
    return configuration.rows[static_cast<std::size_t>(tile)];
  }
  [[nodiscard]] int row_bytes(int tile) const {
    return configuration.row_bytes[static_cast<std::size_t>(tile)];
  }
  Tile& operator[](int tile) { return tiles[static_cast<std::size_t>(tile)]; }
};

thread_local Tiles state;

/// An instruction of AMX: of three bytes of VEX, an operation and its operands.
class Instruction {
 public:
  explicit Instruction(mcontext_t& registers)
      : registers_(registers),
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the register holds the instruction's address.
        code_(reinterpret_cast<const std::uint8_t*>(registers.gregs[REG_RIP])) {}

  [[nodiscard]] bool is_vex() const { return code_[0] == 0xC4 && (code_[1] & 0x1F) == 2; }
  [[nodiscard]] std::uint8_t operation() const { return code_[3]; }
  /// 0: none, 1: 66, 2: F3, 3: F2.
  [[nodiscard]] int prefix() const { return code_[2] & 3; }
  [[nodiscard]] int extra() const { return ~(code_[2] >> 3) & 15; }
  [[nodiscard]] int mode() const { return code_[4] >> 6; }
  [[nodiscard]] int reg() const { return code_[4] >> 3 & 7; }
  [[nodiscard]] int rm() const { return code_[4] & 7; }

  /// The operand in memory, and the bytes from row to row.
  struct Memory {
    std::byte* data;
    std::int64_t stride;
  };
  [[nodiscard]] Memory memory() {
    size_ = 5;
    std::int64_t address = 0;
    std::int64_t stride = 0;
    int base = rm();
    if (base == 4) {
      const int sib = code_[size_++];
      const int index = (sib >> 3 & 7) | ((code_[1] & 0x40) == 0 ? 8 : 0);
      stride = index == 4 ? 0 : value(index) << (sib >> 6);
      base = sib & 7;
    }
    if (mode() == 0 && base == 5) {
      const bool follows_code = rm() == 5;
      address = displacement(4);
      address += follows_code ? reinterpret_cast<std::int64_t>(code_ + size_) : 0;
    } else {
      address = value(base | ((code_[1] & 0x20) == 0 ? 8 : 0));
      address += mode() == 1 ? displacement(1) : mode() == 2 ? displacement(4) : 0;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is computed from registers.
    return {reinterpret_cast<std::byte*>(address), stride};
  }

  /// Goes on behind the instruction.
  void finish() { registers_.gregs[REG_RIP] += size_; }

 private:
  [[nodiscard]] std::int64_t value(int number) const {
    constexpr std::array order{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};
    return registers_.gregs[order[static_cast<std::size_t>(number)]];
  }
  std::int64_t displacement(int bytes) {
    std::int32_t wide = 0;
    std::memcpy(&wide, code_ + size_, static_cast<std::size_t>(bytes));
    size_ += bytes;
    return bytes == 1 ? static_cast<std::int8_t>(wide) : wide;
  }

  mcontext_t& registers_;
  const std::uint8_t* code_;
  int size_ = 5;
};

void load(int tile, const Instruction::Memory& from) {
  std::memset(&state[tile], 0, sizeof(Tile));
  for (int row = 0; row < state.rows(tile); ++row) {
    std::memcpy(state[tile].rows[static_cast<std::size_t>(row)].data(),
                from.data + row * from.stride, static_cast<std::size_t>(state.row_bytes(tile)));
  }
}

void store(int tile, const Instruction::Memory& to) {
  for (int row = 0; row < state.rows(tile); ++row) {
    std::memcpy(to.data + row * to.stride, state[tile].rows[static_cast<std::size_t>(row)].data(),
                static_cast<std::size_t>(state.row_bytes(tile)));
  }
}

/// Subnormal elements are zeros.
float wide(std::uint32_t element) {
  return std::bit_cast<float>((element & 0x7F80) == 0 ? 0U : element << 16U);
}

/// Adds products of pairs to the sums; no where the extents of the tiles do not fit.
bool add_products(int sums, int left, int right) {
  if (sums == left || sums == right || left == right || state.rows(sums) != state.rows(left) ||
      state.row_bytes(sums) != state.row_bytes(right) ||
      state.row_bytes(left) != 4 * state.rows(right)) {
    return false;
  }
  using Words = std::array<std::uint32_t, 16>;
  for (std::size_t row = 0; row < static_cast<std::size_t>(state.rows(left)); ++row) {
    const auto a = std::bit_cast<Words>(state[left].rows[row]);
    std::array<float, 16> first{};
    std::array<float, 16> second{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(state.rows(right)); ++k) {
      const auto b = std::bit_cast<Words>(state[right].rows[k]);
      for (std::size_t column = 0; column < 16; ++column) {
        first[column] += wide(a[k] & 0xFFFF) * wide(b[column] & 0xFFFF);
        second[column] += wide(a[k] >> 16U) * wide(b[column] >> 16U);
      }
    }
    auto y = std::bit_cast<std::array<float, 16>>(state[sums].rows[row]);
    for (std::size_t column = 0; column < static_cast<std::size_t>(state.row_bytes(sums)) / 4;
         ++column) {
      y[column] += first[column] + second[column];
    }
    std::memcpy(state[sums].rows[row].data(), y.data(), bytes_of_row);
  }
  return true;
}

bool configure(const Configuration& with) {
  for (std::size_t tile = 0; tile < 16; ++tile) {
    const bool is_tile = tile < tile_count && with.row_bytes[tile] <= bytes_of_row &&
                         with.rows[tile] <= rows_of_tile;
    const bool is_none = with.row_bytes[tile] == 0 && with.rows[tile] == 0;
    if (with.palette != 1 || (!is_tile && !is_none)) {
      return false;
    }
  }
  std::memset(&state, 0, sizeof state);
  state.configuration = with;
  return true;
}

/// Carries an instruction out; no where it is none of those, or has no meaning.
bool carry_out(Instruction& at) {
  constexpr int none = 0;
  constexpr int prefix_f3 = 2;
  constexpr int prefix_f2 = 3;
  constexpr int of_registers = 3;
  if (!at.is_vex()) {
    return false;
  }
  const bool is_configured = state.configuration.palette != 0;
  switch (at.operation()) {
    case 0x49:
      if (at.mode() != of_registers) {
        Configuration with{};
        std::memcpy(&with, at.memory().data, sizeof with);
        return at.prefix() == none && configure(with);
      }
      if (at.prefix() == none) {
        std::memset(&state, 0, sizeof state);
        return true;
      }
      std::memset(&state[at.reg()], 0, sizeof(Tile));
      return at.prefix() == prefix_f2 && is_configured;
    case 0x4B:
      if (!is_configured || at.prefix() == none) {
        return false;
      }
      if (at.prefix() == prefix_f3) {
        store(at.reg(), at.memory());
      } else {
        load(at.reg(), at.memory());
      }
      return true;
    case 0x5C:
      return is_configured && at.prefix() == prefix_f3 && at.mode() == of_registers &&
             add_products(at.reg(), at.rm(), at.extra());
    default:
      return false;
  }
}

void on_illegal_instruction(int signal, siginfo_t* /*info*/, void* context) {
  Instruction at(static_cast<ucontext_t*>(context)->uc_mcontext);
  if (carry_out(at)) {
    at.finish();
  } else {
    // The instruction meets the system's own handler when it is tried again.
    ::signal(signal, SIG_DFL);
  }
}

}  // namespace

EmulatedTiles::EmulatedTiles() {
  struct sigaction action{};
  action.sa_sigaction = on_illegal_instruction;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGILL, &action, &before_) != 0) {
    throw std::runtime_error("EmulatedTiles: the system takes no handler of SIGILL");
  }
}

EmulatedTiles::~EmulatedTiles() {
  sigaction(SIGILL, &before_, nullptr);
}

}  // namespace ddx::testing
