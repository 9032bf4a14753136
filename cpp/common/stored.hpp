// Big arrays of a bounded process: in files without a name, which the system may drop from memory.
//
// By default arrays are where they always are. `store_from` says from which size on they lie in
// files; what was made before stays where it is, and is given back there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#endif

namespace sfumato {

class Stored {
  public:
    // From so many bytes on (0: never) arrays lie in files of this folder.
    static void from(std::size_t bytes, std::string folder) {
        Stored& all = one();
        const std::lock_guard lock(all.mutex_);
        all.from_ = bytes == 0 ? never : bytes;
        all.folder_ = std::move(folder);
    }

    // Mapped memory of a file, or null where so few bytes do not lie in one.
    static void* take(std::size_t bytes) {
        Stored& all = one();
        if (bytes < all.from_) return nullptr;
#if defined(__linux__)
        const std::lock_guard lock(all.mutex_);
        void* memory = all.map(bytes);
        all.sizes_.emplace(memory, bytes);
        return memory;
#else
        return nullptr;
#endif
    }

    // Whether this was mapped, and is no more.
    static bool give(void* memory) {
#if defined(__linux__)
        constexpr std::uintptr_t page = 4096;
        if (!memory || reinterpret_cast<std::uintptr_t>(memory) % page != 0) return false;
        Stored& all = one();
        const std::lock_guard lock(all.mutex_);
        const auto found = all.sizes_.find(memory);
        if (found == all.sizes_.end()) return false;
        munmap(memory, found->second);
        all.sizes_.erase(found);
        return true;
#else
        (void)memory;
        return false;
#endif
    }

    // How many bytes were mapped for this; 0: it lies in no file.
    static std::size_t size(void* memory) {
        Stored& all = one();
        const std::lock_guard lock(all.mutex_);
        const auto found = all.sizes_.find(memory);
        return found == all.sizes_.end() ? 0 : found->second;
    }

    // How many bytes lie in files.
    static std::size_t bytes() {
        Stored& all = one();
        const std::lock_guard lock(all.mutex_);
        std::size_t sum = 0;
        for (const auto& [memory, size] : all.sizes_) sum += size;
        return sum;
    }

  private:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    static Stored& one() {
        static auto* all = new Stored;  // arrays may outlive everything else
        return *all;
    }

#if defined(__linux__)
    // The room on the disk is taken at once: a full disk is an error here, not a crash later.
    void* map(std::size_t bytes) const {
        const int file = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
        const int made = file >= 0 ? file : named();
        if (made < 0) throw std::runtime_error("no file can be made in the folder for spill files");
        const bool room = posix_fallocate(made, 0, static_cast<off_t>(bytes)) == 0;
        void* memory = MAP_FAILED;
        if (room) memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
        close(made);
        if (!room) throw std::runtime_error("the disk has no room for the spill files");
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return memory;
    }
    // Where the file system makes no file without a name: one that loses it at once.
    int named() const {
        std::string path = folder_ + "/sfumatoXXXXXX";
        const int file = mkstemp(path.data());
        if (file >= 0) unlink(path.c_str());
        return file;
    }
#endif

    std::mutex mutex_;
    std::atomic<std::size_t> from_ = never;
    std::string folder_;
    std::unordered_map<void*, std::size_t> sizes_;
};

template <class T>
struct StoredAllocator {
    using value_type = T;
    StoredAllocator() = default;
    template <class U>
    StoredAllocator(const StoredAllocator<U>&) {}
    T* allocate(std::size_t count) {
        if (void* mapped = Stored::take(count * sizeof(T))) return static_cast<T*>(mapped);
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t) {
        if (!Stored::give(memory)) ::operator delete(memory);
    }
    template <class U>
    bool operator==(const StoredAllocator<U>&) const {
        return true;
    }
};

// A vector that may grow as long as the texts.
template <class T>
using Vector = std::vector<T, StoredAllocator<T>>;

}  // namespace sfumato
