import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  type ParseOptionsResult,
} from 'commander';
import type { LoadedCommand } from '../core/commands/command.ts';
import { globalOptions } from '../core/commands/globals.ts';
import { type MarError, usageError } from '../core/errors.ts';
import {
  type GivenOption,
  idResource,
  invalidChoice,
  longName,
  missingArgument,
  type Option,
  optionKey,
  twoValues,
  usageHint,
} from '../core/input.ts';
import type { CommandFile, Entry } from '../module.ts';
import { isNoun, table } from './table.ts';

/** Makes the error for a mistake. Its hint names the command, which is known when the line is read. */
type Mistake = (path: string) => MarError | Promise<MarError>;

const isWord = (word: string) => !word.startsWith('-');

/**
 * A command, or a noun with its commands. The first mistake of a line is kept and not thrown, because the
 * global flags behind it decide how it is printed. commander calls `optionMissingArgument`, `unknownOption`,
 * `unknownCommand`, `missingArgument` and `_excessArguments` to print a mistake; its types do not have them.
 */
export class CommandNode extends CommanderCommand {
  declare readonly commands: readonly CommandNode[];
  declare readonly parent: CommandNode | null;
  /** Every flag that has a value, in the order given. */
  readonly given: GivenOption[] = [];
  /** Undefined until it is loaded. */
  declared?: LoadedCommand;
  #file?: CommandFile;

  constructor(name?: string) {
    super(name);
    this.hook('preSubcommand', (_, node) => (node as CommandNode).prepare());
  }

  override createCommand(name?: string): CommandNode {
    return new CommandNode(name);
  }

  #add(name: string, file?: CommandFile, isDefault = false): CommandNode {
    const node: CommandNode = this.command(name, { isDefault });
    node.#file = file;
    return node;
  }

  protected addEntry({ name, group, aliases = [], load, verbs, ...entry }: Entry): void {
    const node = this.#add(name, load).aliases(aliases).helpGroup(group);
    node.summary(entry.summary).description(entry.details ?? '');
    if (load && verbs) node.#add(name, load, true);
    for (const [verb, file] of Object.entries(verbs ?? {})) node.#add(verb, file);
  }

  get root(): CommandTree {
    return (this.parent as CommandNode).root;
  }

  /** The command that a noun runs without a verb, `mar sandbox`, is below the noun and has its name. */
  get #noun(): CommandNode {
    return this.parent?.name() === this.name() ? this.parent : this;
  }

  /** The words after `mar` that lead here. */
  get words(): readonly string[] {
    const { parent } = this.#noun;
    return parent ? [...parent.words, this.name()] : [];
  }

  get verbs(): readonly CommandNode[] {
    return this.commands.filter((node) => node.#noun === node);
  }

  verb(word: string): CommandNode | undefined {
    return this.verbs.find((node) => node.name() === word || node.aliases().includes(word));
  }

  /** Loads the file of the command. A noun may have none. */
  async load(): Promise<LoadedCommand | undefined> {
    if (this.#file && !this.declared) {
      this.declared = { ...(await this.#file()).command, words: this.words };
    }
    return this.declared;
  }

  async loadCommands(): Promise<LoadedCommand[]> {
    const below = await Promise.all(this.verbs.map((node) => node.loadCommands()));
    return [(await this.load()) ?? [], below].flat(2);
  }

  /** Loads the command that a line has reached, and adds its arguments and flags. */
  async prepare(): Promise<void> {
    this.root.reached = this;
    // The command without a verb has no name of its own: `mar sandbox sandbox` is a mistake.
    if (this.#noun.args[0] === this.name()) this.#noun.#follow([this.name()]);
    const command = this.commands.length === 0 && (await this.load());
    if (!command) return;
    const { arguments: args = [], options = [] } = command;
    let mayLack = false;
    for (const declared of args) {
      // An argument behind an optional one may be absent too. A missing id is no error yet: on a
      // terminal, `readIds` offers the recently used ones.
      mayLack ||= declared.optional === true || idResource(declared, command) !== undefined;
      const term = declared.many ? `${declared.name}...` : declared.name;
      const argument = new CommanderArgument(mayLack ? `[${term}]` : `<${term}>`);
      this.addArgument(argument.argParser((word) => this.#note(invalidChoice(declared, word))));
    }
    this.addFlags(options);
  }

  protected addFlags(options: readonly Option[]): void {
    for (const declared of options) {
      const option = new CommanderOption(declared.flags.replace('[=', ' ['));
      option.argParser((value: string | undefined, before: unknown) => {
        // A switch has no value.
        if (value === undefined) return value;
        this.given.push({ name: option.name(), value });
        if (declared.many) return [...(Array.isArray(before) ? before : []), value];
        this.#note(invalidChoice(declared, value) ?? twoValues(declared, before, value));
        return value;
      });
      this.addOption(option);
    }
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const { operands, unknown } = this.readFlags(args.slice(0, end));
    return unknown.length > 0
      ? { operands, unknown: [...unknown, ...args.slice(end)] }
      : { operands: [...operands, ...args.slice(end + 1)], unknown };
  }

  protected readFlags(words: string[]): ParseOptionsResult {
    // commander would take the next word for the value of `--skip-checks[=names]`.
    const alone = (word: string) =>
      this.declared?.options?.find(({ flags }) => flags.startsWith(`${word}[=`));
    const read = super.parseOptions(words.filter((word) => !alone(word)));
    for (const declared of words.flatMap((word) => alone(word) ?? [])) {
      const key = optionKey(declared.flags);
      // Alone, a flag with a list means all of it.
      if (!declared.isList) this.#note(twoValues(declared, this.getOptionValue(key), ''));
      this.setOptionValue(key, true);
    }
    return read;
  }

  #note(mistake: Mistake | MarError | undefined): void {
    this.root.mistake ??= mistake instanceof Error ? () => mistake : mistake;
  }

  optionMissingArgument({ flags }: CommanderOption): void {
    const facts = { flag: longName(flags) };
    this.#note((path) => usageError(`missing value for ${flags}`, usageHint(path), facts));
  }

  /** The flag may stand before the words that name its command. */
  unknownOption(flag: string): void {
    this.#noun.#follow(this.args.filter(isWord));
    this.#note(async (path) => {
      const { unknownFlag } = await import('./intents.ts');
      return unknownFlag(flag, path, await this.root.reached.load());
    });
  }

  /** An unknown command is reported first, because all else depends on it. */
  unknownCommand(word = this.args[0] ?? ''): void {
    this.root.mistake = async () => {
      const { unknownCommand, unknownVerb } = await import('./intents.ts');
      const noun = table.filter(isNoun).find(({ name }) => name === this.name());
      return noun ? unknownVerb(noun, word) : unknownCommand(word, this.root.hasHelpWord);
    };
  }

  missingArgument(name: string): void {
    this.#note((path) => missingArgument(name, path));
  }

  _excessArguments(words: readonly string[]): void {
    // The word is no verb of the noun, or a verb behind a flag of the noun's own command.
    if (this.#noun !== this) this.unknownOption(this.#noun.args[0] ?? '');
    const expected = this.registeredArguments.length;
    const message = `too many arguments: expected ${expected}, got ${words.length}`;
    this.#note(this.declared?.unexpectedArgument?.());
    this.#note((path) => usageError(message, usageHint(path)));
  }

  /** Follows the words behind a flag at which commander stopped. */
  #follow([word, ...rest]: readonly string[]): void {
    this.root.reached = this;
    if (word === undefined || this.verbs.length === 0) return;
    const next = this.verb(word);
    if (next) next.#follow(rest);
    else this.unknownCommand(word);
  }

  /** For any other mistake that commander finds. */
  override error(message: string): never {
    throw usageError(message.replace(/^error: /, ''));
  }

  /** commander calls it for `--help`, and with an argument for a noun without a verb. */
  override outputHelp(context?: unknown): void {
    this.root.isHelp = context === undefined;
    // In `mar sandbox --port 80 --help`, a word may be a value.
    const words = this.#file ? this.args.slice(0, 1) : this.args;
    const word = words.find(isWord);
    if (this.verbs.length > 0 && word !== undefined && !this.verb(word)) this.unknownCommand(word);
  }
}

const wordsIn = ({ operands, unknown }: ParseOptionsResult) => [
  ...operands,
  ...unknown.filter(isWord),
];

const entriesNamed = (word: string | undefined) =>
  table.filter(({ name, aliases = [] }) => [name, ...aliases].includes(word ?? ''));

/** `mar` itself, with all that was found in one line. Its options are the global flags. */
export class CommandTree extends CommandNode {
  /** The last node that the words of the line lead to. */
  reached: CommandNode = this;
  /** The one to report. */
  mistake?: Mistake;
  isHelp = false;
  /** True for `mar help wr`. */
  hasHelpWord = false;
  /** `batch` in `mar help batch`. */
  topic = '';
  /** `--help --all` prints the whole page. */
  isWholeHelp = false;
  /** The first word that is not `help`. */
  word?: string;

  /** Without entries, it gets the one that the line names: with all, a line takes 1.5 times as long. */
  constructor(entries: readonly Entry[] = []) {
    super('mar');
    this.exitOverride().addFlags(globalOptions);
    for (const entry of entries) this.addEntry(entry);
  }

  override get root(): CommandTree {
    return this;
  }

  find(words: string): CommandNode | undefined {
    const names = words.split(' ');
    return names.reduce<CommandNode | undefined>((node, name) => node?.verb(name), this);
  }

  /** Reads a line. A mistake is not thrown. */
  async read(argv: readonly string[]): Promise<void> {
    try {
      await this.parseAsync(argv, { from: 'user' });
    } catch (error) {
      // commander stops after `outputHelp`.
      if (!(error instanceof CommanderError)) throw error;
    }
  }

  protected override readFlags(words: string[]): ParseOptionsResult {
    const line = this.#withHelpFlag(super.readFlags(words));
    [this.word] = wordsIn(line);
    const named = entriesNamed(this.word);
    if (this.commands.length === 0) {
      for (const entry of named.length > 0 ? named : table) this.addEntry(entry);
    }
    return line;
  }

  /** Turns `mar help wr create`, `mar wr help create` and `mar wr help` into `mar wr create --help`. */
  #withHelpFlag({ operands, unknown }: ParseOptionsResult): ParseOptionsResult {
    const [first, second = '', ...others] = wordsIn({ operands, unknown });
    this.hasHelpWord = first === 'help' || (second === 'help' && entriesNamed(first).length > 0);
    if (!this.hasHelpWord && !unknown.some((word) => /^(?:-h|--help)$/.test(word))) {
      return { operands, unknown };
    }
    if (first === 'help' && others.length === 0) this.topic = second;
    this.isWholeHelp = unknown.includes('--all');
    const isOther = (word: string) => word !== '--all' && !(this.hasHelpWord && word === 'help');
    return { operands: operands.filter(isOther), unknown: [...unknown.filter(isOther), '--help'] };
  }
}
