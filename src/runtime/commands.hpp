// What a call records. Its commands are collected first, and reach the command buffer only when all
// of them are known: until then a wrong argument or a missing pipeline leaves nothing behind.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <vector>

#include "runtime/device_state.hpp"
#include "runtime/dispatch_args/dispatch_args.abi.h"
#include "runtime/validate.hpp"

namespace vkprims {

inline Access reads(VkDeviceAddress address, VkDeviceSize bytes) {
  return {{address, bytes}, false};
}
inline Access reads(const BufferView& view) { return {view, false}; }
inline Access writes(VkDeviceAddress address, VkDeviceSize bytes) {
  return {{address, bytes}, true};
}
inline Access writes(const BufferView& view) { return {view, true}; }

/// Leaves out the barrier before a command. The reason is only for the reader.
struct Independent {
  const char* reason;
};

inline constexpr VkDeviceSize kGridScratchBytes = 16;

/// How many workgroups a dispatch has. Numbers past 65,535 are folded into y: kernels number their
/// workgroups by vkp_group_index() and test for surplus ones.
///
/// If the count is read on the GPU and the largest grid is big, the grid is indirect: a command
/// before computes its size into 16 bytes of scratch, so that a small count does not pay for the
/// largest.
struct Grid {
  /// A grid of so many workgroups.
  constexpr explicit Grid(std::uint64_t number = 1) : groups(number) {}
  /// A grid with a workgroup for every `items_each` items of `items`, which is indirect if
  /// grid_is_indirect(); `room` then begins with the bytes of its size.
  Grid(const Count& items, std::uint64_t items_each, const Scratch& room);

  std::uint64_t groups;        // for the largest count
  std::uint32_t y = 0, z = 0;  // along the other axes, of an application's grid; 0: folded into y
  bool is_indirect = false;
  bool is_computed = false;  // whether an earlier command of the call computes the size
  Count count;
  std::uint64_t items_per_group = 1;
  std::uint64_t first = 0;  // items that are left to other dispatches
  Scratch scratch;
};

/// Whether a grid over `count` needs kGridScratchBytes.
bool grid_is_indirect(const Count& count, std::uint64_t items_per_group);

/// The mark of a fill behind Commands::prepare(grid): it need not wait for the command that
/// computes the size. Where there is none, the command before may be another primitive's, and it
/// waits.
inline const Independent* beside(const Grid& grid) {
  static constexpr Independent kOfTheSize{"the size of the grid and what is filled are disjoint"};
  return grid.is_indirect ? &kOfTheSize : nullptr;
}

/// The commands of one call. Between any two of them a global barrier makes what the first wrote
/// visible to reads and writes of the second.
class Commands {
 public:
  /// What is done with them: warm_up functions want the pipelines, whatever the device's policy,
  /// and nothing else.
  enum class Use { record, warm_up };

  Commands(const char* primitive, DeviceState& state, Use use = Use::record)
      : primitive_(primitive), state_(state), use_(use) {}
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  /// The primitive that the application called.
  const char* primitive() const { return primitive_; }
  DeviceState& state() const { return state_; }
  const Tuning& tuning() const { return state_.tuning; }

  /// Adds the command that computes the size of an indirect grid; does nothing for others.
  /// dispatch() does so itself where it has not been done, just before its own command. A grid of
  /// several dispatches is prepared once, and its size must not be overwritten in between.
  Status prepare(Grid& grid) { return prepare({&grid}); }
  /// The same for several grids, side by side: their sizes lie in different places.
  Status prepare(std::initializer_list<Grid*> grids);

  /// Adds a dispatch, with the pipeline of a module and its constants, which is compiled if it does
  /// not exist yet. A grid without workgroups adds nothing.
  template <class Push>
  Status dispatch(const Spirv& spirv, const Specialization& constants, const Push& push,
                  const Grid& grid, std::span<const Access> accesses,
                  const Independent* independent = nullptr) {
    static_assert(sizeof(Push) % 4 == 0 && sizeof(Push) <= kMostPushBytes);
    return dispatch_bytes(spirv, constants, &push, sizeof push, grid, accesses, independent);
  }
  template <class Push>
  Status dispatch(const Spirv& spirv, const Specialization& constants, const Push& push,
                  const Grid& grid, std::initializer_list<Access> accesses,
                  const Independent* independent = nullptr) {
    return dispatch(spirv, constants, push, grid, std::span(accesses.begin(), accesses.size()),
                    independent);
  }

  /// Adds a dispatch, whose push constants are bytes.
  Status dispatch_bytes(const Spirv& spirv, const Specialization& constants, const void* push,
                        std::uint32_t push_bytes, const Grid& grid,
                        std::span<const Access> accesses, const Independent* independent = nullptr);

  /// Adds a command that sets bytes (a multiple of 4) of scratch to a repeated word. A single word,
  /// and up to 4 KiB of zeros, are written by vkCmdUpdateBuffer: it is 3 us faster than
  /// vkCmdFillBuffer on the compute queue of an H200, which is fast from 4 KiB on only. On its
  /// graphics queue both take 4 us longer, and up to 4 KiB are filled by a dispatch
  /// (DeviceFacts::dispatches_fills).
  Status fill(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes,
              std::uint32_t word = 0, const Independent* independent = nullptr);
  /// In a warm_up function: compiles what fill() may dispatch, whatever the bytes.
  Status warm_up_fill();
  /// Adds a vkCmdUpdateBuffer that sets bytes of scratch (multiples of 4, at most 64 KiB) to bytes
  /// of the host, which are copied now.
  void write(const Scratch& scratch, VkDeviceSize offset, const void* data, VkDeviceSize bytes,
             const Independent* independent = nullptr);

  /// Records everything, in a debug label with the name of the call. A device that only notes
  /// pipelines records nothing.
  void record(VkCommandBuffer cmd) const;

  /// While it exists, what is added lies in a debug label within that of the call.
  class Label {
   public:
    Label(Commands& commands, const char* name) : commands_(commands) { commands_.label(name); }
    ~Label() { commands_.label(nullptr); }
    Label(const Label&) = delete;
    Label& operator=(const Label&) = delete;

   private:
    Commands& commands_;
  };

 private:
  static constexpr std::size_t kMostPushBytes = 128;

  enum class Kind : std::uint8_t {
    dispatch,
    indirect_dispatch,
    fill,
    write,
    begin_label,
    end_label
  };
  struct Command {
    Kind kind;
    std::uint8_t push_bytes;
    bool is_independent;
    std::uint32_t word;                    // of a fill
    std::uint32_t first_access, accesses;  // in accesses_
    std::uint32_t first_data;              // in data_, of a write
    const char* name;                      // of a label, or of a module
    VkPipeline pipeline;
    std::uint64_t groups;
    std::uint32_t y, z;  // of the grid, if y is not 0
    VkBuffer buffer;     // of the size of a grid, a fill or a write
    VkDeviceSize offset, bytes;
    alignas(8) std::byte push[kMostPushBytes];
  };
  struct Recorder;

  bool is_kept() const { return use_ == Use::record && !state_.pipelines.only_notes(); }
  Command& append(Kind kind, std::span<const Access> accesses, const Independent* independent);
  const Command& at(std::size_t i) const {
    return i < kRoom ? *std::launder(reinterpret_cast<const Command*>(room_) + i)
                     : more_[i - kRoom];
  }
  void label(const char* name);

  // So many commands need no memory of the heap.
  static constexpr std::size_t kRoom = 40;

  const char* primitive_;
  DeviceState& state_;
  Use use_;
  std::size_t size_ = 0;
  alignas(Command) std::byte room_[kRoom * sizeof(Command)];
  std::vector<Command> more_;
  std::vector<Access> accesses_;  // what is told to an observer, if there is one
  std::vector<std::byte> data_;   // what write() copies
};

/// A public record function: `add(commands)` checks the call and adds its commands.
template <class Add>
Status record_call(const char* primitive, VkCommandBuffer cmd, const Device& device, Add&& add) {
  VKPRIMS_TRY(check_recording(primitive, cmd, device));
  Commands commands(primitive, *device.state());
  VKPRIMS_TRY(add(commands));
  commands.record(cmd);
  return {};
}

/// A public warm_up function: `add(commands)` adds whatever commands a descriptor may need, with
/// any addresses.
template <class Add>
Status warm_up_call(const char* primitive, const Device& device, Add&& add) {
  VKPRIMS_TRY(check_device(primitive, device));
  Commands commands(primitive, *device.state(), Commands::Use::warm_up);
  VKPRIMS_TRY(commands.warm_up_fill());
  return add(commands);
}

}  // namespace vkprims
