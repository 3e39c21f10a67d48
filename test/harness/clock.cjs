// Moves the clock of a program by the hours in the file CLOCK_FILE, as soon as that file exists.
const { readFileSync } = require('node:fs');

const realNow = Date.now;

function now() {
  try {
    return realNow() + Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8')) * 3_600_000;
  } catch {
    return realNow();
  }
}

globalThis.Date = new Proxy(Date, {
  construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now()] : values),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
