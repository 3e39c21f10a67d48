// Gives a program another host name (HOST_NAME) and a clock that is wrong by CLOCK_MINUTES. With STOP_IN_SYNC, it
// stops (SIGSTOP) when it first waits for the disk.
const fs = require('node:fs');
const os = require('node:os');
const { syncBuiltinESMExports } = require('node:module');

const { HOST_NAME, CLOCK_MINUTES = '0', STOP_IN_SYNC } = process.env;

if (HOST_NAME) os.hostname = () => HOST_NAME;

const realNow = Date.now;
const now = () => realNow() + Number(CLOCK_MINUTES) * 60_000;
globalThis.Date = new Proxy(Date, {
  construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now()] : values),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

if (STOP_IN_SYNC) {
  const { fdatasync } = fs;
  Object.assign(fs, {
    /** @type {(file: number, done: import('node:fs').NoParamCallback) => void} */
    fdatasync: (file, done) => {
      Object.assign(fs, { fdatasync });
      syncBuiltinESMExports();
      process.kill(process.pid, 'SIGSTOP');
      return fdatasync(file, done);
    },
  });
}
syncBuiltinESMExports();
