/* Writes a result of the sample run, for tests in Python:
 *
 *   write_result PATH BODIES JOINTS RECORDS COMPRESSION [forever [WRITES]]
 *
 * The steps 0 .. RECORDS - 1, with a checkpoint at t = 0 and each 500 steps. With "forever"
 * it goes on until it is killed, flushing every few records, and prints the number of
 * records flushed after each flush; RECORDS then only bounds the chunks. With WRITES it kills
 * itself in place of the write to a file of that number. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../result_sample.h"

static long writes_left = -1;

/* Stands before the C library's function of this name. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  if (writes_left > 0 && --writes_left == 0) raise(SIGKILL);
  return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

static int complain(const xs_report *report) {
  xs_report_print(report, stderr, XS_REPORT_AS_TEXT, 0);
  return (int)xs_report_status(report);
}

static xs_status go_on_forever(sample *s, xs_result *result, xs_report *report) {
  xs_status status = XS_OK;
  for (int64_t k = 1; status == XS_OK; k++) {
    status = sample_record(s, result, k, k, report);
    if (status == XS_OK && k % 97 == 0) status = xs_result_checkpoint(result, report);
    if (status == XS_OK && k % 7 == 0) status = xs_result_flush(result, report);
    if (status == XS_OK && (k % 7 == 0 || k % 97 == 0)) {
      printf("%lld\n", (long long)k + 1);
      if (fflush(stdout) != 0) return XS_IO;
    }
  }
  return status;
}

int main(int argc, char **argv) {
  xs_report report = {0};
  xs_result *result;
  if (argc < 6) return XS_USAGE;
  int records = atoi(argv[4]), forever = argc > 6 && strcmp(argv[6], "forever") == 0;
  if (argc > 7) writes_left = atol(argv[7]);
  sample *s = sample_create(atoi(argv[2]), atoi(argv[3]), 1e-3 * (records - 1));
  s->world.output.compression = atoi(argv[5]);

  xs_status status = xs_result_create(argv[1], 0, &s->subject, &result, &report);
  if (status != XS_OK) return complain(&report);
  status = sample_record(s, result, 0, 0, &report);
  if (status == XS_OK) status = xs_result_checkpoint(result, &report);
  if (status == XS_OK && forever) status = go_on_forever(s, result, &report);
  for (int64_t k = 1; status == XS_OK && k < records; k++) {
    status = sample_record(s, result, k, k, &report);
    if (status == XS_OK && k % 500 == 0) status = xs_result_checkpoint(result, &report);
  }
  if (status == XS_OK)
    status = xs_result_finish(result, "complete", 0, &report);
  else
    xs_result_abandon(result);
  sample_free(s);
  return status == XS_OK ? 0 : complain(&report);
}
