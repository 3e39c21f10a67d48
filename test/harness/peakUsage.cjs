// Loaded into a program before it starts: the last line of standard error is its peak memory and its CPU time.
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`\npeak: ${maxRSS} kB, cpu: ${(userCPUTime + systemCPUTime) / 1e6} s\n`);
});
