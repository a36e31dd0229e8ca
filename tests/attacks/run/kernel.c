// Verdict: exit 3
// Asks the kernel for what only an administrator needs.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/reboot.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
int main(void) {
    char zeros[256] = {0};
    struct timeval now = {0, 0};
    const long numbers[] = {SYS_bpf,         SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl,
                            SYS_add_key,     SYS_request_key,     SYS_init_module, SYS_finit_module,
                            SYS_kexec_load,  SYS_syslog,          SYS_acct,        SYS_quotactl,
                            SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_kcmp, SYS_move_pages, 400, 1000, 100000};
    for (int i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (syscall(numbers[i], 0, zeros, sizeof zeros, 0, 0) >= 0 || errno != ENOSYS)
            return 0;
    if (sethostname("mine", 4) == 0 || settimeofday(&now, 0) == 0 || swapoff("/swap") == 0)
        return 0;
    return syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_RESTART, 0) == 0 ? 0 : 3;
}
