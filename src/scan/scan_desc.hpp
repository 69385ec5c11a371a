// What descriptors of scans have in common, whether these are in segments or not.
#pragma once

#include "blocks/fold.hpp"
#include "blocks/scan_tile.hpp"
#include "runtime/commands.hpp"
#include "vkprims/scan.hpp"

namespace vkprims {

/// Bytes of an element of the input, and of the output.
std::uint32_t input_size(const ScanDesc& desc);
std::uint32_t output_size(const ScanDesc& desc);
/// What addresses of input elements must be multiples of.
std::uint32_t input_alignment(const ScanDesc& desc);
std::uint32_t output_alignment(const ScanDesc& desc);

Status check_scan_desc(const char* primitive, const DeviceState& state, const ScanDesc& desc);

enum class ScanPath { alone, look_back, multi_pass };

ScanPath scan_path(const Tuning& tuning, const ScanDesc& desc);
/// The same for more elements than are scanned alone.
ScanPath path_of_many(const ScanDesc& desc);

/// The specialization of the kernels that scan. `aligned` says that the output lies as the input
/// does relative to a multiple of 16 bytes.
Specialization scan_specialization(const ScanDesc& desc, const ScanTile& tile, std::uint32_t rows,
                                   bool aligned);

/// Adds the commands of a scan whose descriptor and buffers have been checked.
Status add_scan(Commands& commands, const ScanDesc& desc, const ScanBuffers& buffers);
/// Adds what warm_up() compiles for a scan.
Status warm_up_scan(Commands& commands, const ScanDesc& desc);
/// The same for scans in place, at multiples of 16 bytes and without a total.
Status warm_up_scan_in_place(Commands& commands, const ScanDesc& desc);

}  // namespace vkprims
