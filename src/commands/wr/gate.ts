/** Lets so many pieces of work run at a time; the others wait in line. */
export function createGate(limit: number) {
  const line: (() => void)[] = [];
  let free = limit;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
