/** The calls of mar in a line of shell, each as its arguments. */
export function marCalls(line: string): string[][] {
  const words = line.match(/"[^"]*"|'[^']*'|[|;<>()]|(?:[^\s|;<>()"']|"[^"]*")+/g) ?? [];
  const calls: string[][] = [];
  let call: string[] | undefined;
  for (const word of words) {
    if (word === 'mar' && !call) {
      call = [];
      calls.push(call);
    } else if (/^[|;<>()]$/.test(word)) {
      call = undefined;
    } else {
      call?.push(word.replace(/["']/g, ''));
    }
  }
  return calls;
}
