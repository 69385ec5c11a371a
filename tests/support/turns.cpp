#include "support/turns.hpp"

#include <vulkan/vulkan.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "all_shaders.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

// These numbers are from the SPIR-V specification.
enum Op : std::uint32_t {
  kLine = 8,
  kEntryPoint = 15,
  kTypeInt = 21,
  kTypeVector = 23,
  kTypePointer = 32,
  kConstant = 43,
  kConstantComposite = 44,
  kFunction = 54,
  kVariable = 59,
  kLoad = 61,
  kStore = 62,
  kBitcast = 124,
  kIAdd = 128,
  kAtomicUMax = 239,
  kPhi = 245,
  kLoopMerge = 246,
  kLabel = 248,
  kReturn = 253,
  kNoLine = 317,
};
constexpr std::uint32_t kPrivate = 6, kPhysicalStorageBuffer = 5349, kUnroll = 1, kQueueFamily = 5;

using Words = std::vector<std::uint32_t>;

void append(Words& to, std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
  to.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
  to.insert(to.end(), operands);
}

// A module and the words that it is rewritten to.
class Rewriting {
 public:
  Rewriting(std::span<const std::uint32_t> words, VkDeviceAddress counter)
      : words_(words), next_id_(words[3]) {
    find();
    declare(counter);
  }

  Words result() {
    Words out(words_.begin(), words_.begin() + 5);
    bool in_entry_point = false, in_global_part = true, counts = false;
    for_each([&](std::uint32_t op, std::span<const std::uint32_t> w) {
      if (op == kFunction) {
        if (in_global_part) out.insert(out.end(), declarations_.begin(), declarations_.end());
        in_global_part = false;
        in_entry_point = w[2] == entry_point_;
      }
      // The counting code stands behind the label and the phis of the block.
      if (counts && op != kPhi && op != kLine && op != kNoLine) {
        count_turn(out);
        counts = false;
      }
      if (op == kReturn && in_entry_point) keep_largest(out);
      const std::size_t at = out.size();
      out.insert(out.end(), w.begin(), w.end());
      if (op == kEntryPoint) {
        // From SPIR-V 1.4 on, an entry point names all variables that it uses.
        out.push_back(variable_);
        out[at] += 1u << 16;
      }
      if (op == kLabel) counts = continues_.count(w[1]) != 0;
    });
    out[3] = next_id_;
    return out;
  }

 private:
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t at = 5; at < words_.size(); at += words_[at] >> 16) {
      f(words_[at] & 0xffff, words_.subspan(at, words_[at] >> 16));
    }
  }

  void find() {
    for_each([&](std::uint32_t op, std::span<const std::uint32_t> w) {
      if (op == kEntryPoint) entry_point_ = w[2];
      if (op == kTypeInt && w[2] == 32 && w[3] == 0) uint_ = w[1];
      if (op == kTypeVector && w[2] == uint_ && w[3] == 2) uvec2_ = w[1];
      if (op == kTypePointer && w[3] == uint_ && w[2] == kPrivate) private_pointer_ = w[1];
      if (op == kTypePointer && w[3] == uint_ && w[2] == kPhysicalStorageBuffer) pointer_ = w[1];
      if (op == kLoopMerge && !(w[3] & kUnroll)) continues_[w[2]] = true;
    });
  }

  // Types may not be declared twice, so those that the module already has are used.
  void type(std::uint32_t& id, std::uint32_t op, std::uint32_t a, std::uint32_t b) {
    if (id) return;
    id = next_id_++;
    append(declarations_, op, {id, a, b});
  }
  std::uint32_t constant(std::uint32_t value) {
    append(declarations_, kConstant, {uint_, next_id_, value});
    return next_id_++;
  }

  void declare(VkDeviceAddress counter) {
    type(uint_, kTypeInt, 32, 0);
    type(uvec2_, kTypeVector, uint_, 2);
    type(private_pointer_, kTypePointer, kPrivate, uint_);
    type(pointer_, kTypePointer, kPhysicalStorageBuffer, uint_);
    zero_ = constant(0);
    one_ = constant(1);
    scope_ = constant(kQueueFamily);
    const std::uint32_t low = constant(static_cast<std::uint32_t>(counter));
    const std::uint32_t high = constant(static_cast<std::uint32_t>(counter >> 32));
    counter_ = next_id_++;
    append(declarations_, kConstantComposite, {uvec2_, counter_, low, high});
    variable_ = next_id_++;
    append(declarations_, kVariable, {private_pointer_, variable_, kPrivate, zero_});
  }

  void count_turn(Words& out) {
    const std::uint32_t before = next_id_++, after = next_id_++;
    append(out, kLoad, {uint_, before, variable_});
    append(out, kIAdd, {uint_, after, before, one_});
    append(out, kStore, {variable_, after});
  }

  // The atomic is relaxed, because the result is read after the commands have ended.
  void keep_largest(Words& out) {
    const std::uint32_t pointer = next_id_++, turns = next_id_++, before = next_id_++;
    append(out, kBitcast, {pointer_, pointer, counter_});
    append(out, kLoad, {uint_, turns, variable_});
    append(out, kAtomicUMax, {uint_, before, pointer, scope_, zero_, turns});
  }

  std::span<const std::uint32_t> words_;
  std::uint32_t next_id_;
  std::uint32_t entry_point_ = 0, uint_ = 0, uvec2_ = 0, private_pointer_ = 0, pointer_ = 0;
  std::uint32_t zero_ = 0, one_ = 0, scope_ = 0, counter_ = 0, variable_ = 0;
  std::map<std::uint32_t, bool> continues_;  // labels of the blocks that begin the next turn
  Words declarations_;
};

// The counters of the modules that have been created.
class Counters {
 public:
  static constexpr std::uint64_t kMost = 4096;

  VkDeviceAddress of(std::span<const std::uint32_t> words) {
    const std::lock_guard lock(mutex_);
    if (!buffer_.size()) buffer_ = context().upload(std::vector<std::uint32_t>(kMost, 0));
    const auto [place, added] =
        numbers_.try_emplace(Words(words.begin(), words.end()), numbers_.size());
    return buffer_.address() + 4 * (place->second % kMost);
  }
  Turns take() {
    const std::lock_guard lock(mutex_);
    if (!buffer_.size()) return {};
    const std::vector<std::uint32_t> counted = context().download(buffer_);
    context().write(buffer_, std::vector<std::uint32_t>(kMost, 0));
    Turns turns;
    for (const auto& [words, number] : numbers_) {
      const std::uint32_t most = counted[number % kMost];
      if (most <= turns.most) continue;
      const std::string name = name_of(words);
      // Shaders of tests and examples have no name here.
      if (!name.empty()) turns = {most, name};
    }
    return turns;
  }

 private:
  static std::string name_of(const Words& words) {
    for (const Spirv* spirv : kAllShaders) {
      if (words_of(*spirv) == words) return spirv->name;
    }
    return "";
  }
  std::mutex mutex_;
  Buffer<std::uint32_t> buffer_;
  std::map<Words, std::uint64_t> numbers_;
};

Counters& counters() {
  // This object is never destroyed, like the Context that it uses.
  static Counters& instance = *new Counters;
  return instance;
}

PFN_vkGetDeviceProcAddr real_get_device_proc_addr;
PFN_vkCreateShaderModule real_create_shader_module;

VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo* info,
                                                    const VkAllocationCallbacks* allocator,
                                                    VkShaderModule* module) {
  return create_counted_module(real_create_shader_module, device, *info, allocator, module);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction function = real_get_device_proc_addr(device, name);
  if (std::strcmp(name, "vkCreateShaderModule") != 0) return function;
  real_create_shader_module = reinterpret_cast<PFN_vkCreateShaderModule>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(create_shader_module);
}

int too_many = 0;

// Says after each test case in which modules there were too many turns.
struct Listener : doctest::IReporter {
  explicit Listener(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData& data) override { name_ = data.m_name; }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    if (!counts_turns()) return;
    const Turns turns = take_turns();
    if (turns.most <= kMostTurns) return;
    ++too_many;
    std::printf("%s: an invocation of %s made %u turns, at most %u are allowed\n", name_.c_str(),
                turns.module.c_str(), turns.most, kMostTurns);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
  std::string name_;
};
REGISTER_LISTENER("turns", 1, Listener);

}  // namespace

bool counts_turns() {
  static const bool value = std::getenv("VKPRIMS_TEST_TURNS") != nullptr;
  return value;
}

std::vector<std::uint32_t> with_turns_counted(std::span<const std::uint32_t> words,
                                              VkDeviceAddress counter) {
  return Rewriting(words, counter).result();
}

VkResult create_counted_module(PFN_vkCreateShaderModule create, VkDevice device,
                               const VkShaderModuleCreateInfo& info,
                               const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  if (!counts_turns()) return create(device, &info, allocator, module);
  const std::span<const std::uint32_t> words(info.pCode, info.codeSize / 4);
  const std::vector<std::uint32_t> counting = with_turns_counted(words, counters().of(words));
  VkShaderModuleCreateInfo counted = info;
  counted.pCode = counting.data();
  counted.codeSize = 4 * counting.size();
  return create(device, &counted, allocator, module);
}

Turns take_turns() { return counters().take(); }

void forgive_turns(const char*) {
  if (counts_turns()) take_turns();
}
int cases_with_too_many_turns() { return too_many; }

PFN_vkVoidFunction VKAPI_CALL counting_get_instance_proc_addr(VkInstance instance,
                                                              const char* name) {
  const PFN_vkVoidFunction function = vkGetInstanceProcAddr(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return function;
  real_get_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc_addr);
}

}  // namespace vkprims::test
