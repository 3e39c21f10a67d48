// Loaded into a program before it starts: its peak memory is the last line of standard error.
process.on('exit', () => {
  process.stderr.write(`\npeak: ${process.resourceUsage().maxRSS} kB\n`);
});
