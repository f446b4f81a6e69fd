package hugepages

import "golang.org/x/sys/unix"

// advise asks the kernel for huge pages. It ignores errors: the memory works without them too.
func advise(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
