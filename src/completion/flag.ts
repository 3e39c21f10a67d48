import type { Option } from '../commands/command.ts';

/** An option, by the names that it has on the command line. */
export class Flag {
  readonly option: Option;
  /** `-f` and `--file`, the long one last. */
  readonly names: readonly string[];
  readonly takesValue: boolean;

  constructor(option: Option) {
    this.option = option;
    this.names = option.flags.match(/(?<![\w-])--?[\w-]+/g) ?? [];
    this.takesValue = /[<[]/.test(option.flags);
  }

  isCalled(name: string): boolean {
    return this.names.includes(name);
  }
}
