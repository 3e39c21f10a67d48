import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { type Client, type ClientOptions, createClient } from '../client/client.ts';
import { baseUrlName } from '../client/statusError.ts';
import { type Credentials, checkOrigin, tokenSecret } from '../client/tokenOrigin.ts';
import {
  type Config,
  configFile,
  profileName,
  profileOf,
  type Settings,
  type StoreName,
} from '../config/config.ts';
import { type Folders, findFolders } from '../config/folders.ts';
import { Memory } from '../config/memory.ts';
import {
  findIdentity,
  type Identity,
  isFromEnvironment,
  loginHint,
  type TokenStore,
} from '../credentials/identity.ts';
import type { Keychain } from '../credentials/keychain/keychain.ts';
import { type FieldFacts, MarError, orUndefined, usageError } from '../errors.ts';
import type { JsonFile } from '../files/jsonFile.ts';
import { createTransport, type Transport } from '../http/transport.ts';
import type { TrustOptions } from '../http/trust.ts';
import type { JqFilter } from '../output/jq.ts';
import { Printer } from '../output/printer.ts';
import { Progress, type ProgressOptions } from '../output/progress.ts';
import type { Prompter } from '../output/prompt.ts';
import type { Output, Streams } from '../output/streams.ts';
import { createStyle, hasLinkSupport, isColourWanted, isOn, type Style } from '../output/style.ts';
import { paintStatus } from '../records/status.ts';
import { commandLine, withProfile } from '../values/commandLine.ts';
import { formatSeconds } from '../values/duration.ts';
import type { Format } from '../values/formats.ts';
import { sanitise, sanitiseLines } from '../values/sanitise.ts';
import { type Clock, readTime, type TimeUnit } from '../values/time.ts';
import { wrapMessage } from '../values/width.ts';
import { version } from '../version.ts';
import type { GlobalFlags, World } from '../world.ts';

export const styleFor = ({ env }: Pick<World, 'env'>, { isTerminal }: Output, color: boolean) =>
  createStyle(color && isColourWanted(env, isTerminal));

/** The dependencies of a command. Each is made on first use, and only once. */
export class Context {
  readonly world: World;
  readonly streams: Streams;
  readonly flags: GlobalFlags;
  readonly folders: Folders;
  readonly configFile: JsonFile<Config>;
  #config?: Config;
  #identity?: Identity;
  #client?: Promise<Client>;
  #printer?: Printer;
  #filter?: JqFilter;
  #keychain?: Promise<Keychain>;
  #transport?: Transport;
  #waiting?: Progress;
  #waits = 0;
  #reported = new Set<string>();
  #finalReports: string[] = [];
  #memory?: Memory;
  #userNames?: ReadonlyMap<string, string>;
  #endPager?: () => Promise<void>;

  constructor(world: World, flags: GlobalFlags) {
    this.world = world;
    this.streams = world.streams;
    this.flags = flags;
    this.folders = findFolders(world.env, world.platform);
    this.configFile = configFile(this.folders.config);
  }

  /** The configuration at first use; `configFile` changes it. */
  get config(): Config {
    this.#config ??= this.configFile.read();
    return this.#config;
  }

  get settings(): Settings {
    return this.config.settings ?? {};
  }

  get clock(): Clock & { timeUnit: TimeUnit } {
    const { timeUnit = 'auto' } = this.settings;
    return { now: this.world.now(), timeUnit, date: (value) => readTime(value, timeUnit) };
  }

  get style(): Style {
    const { env } = this.world;
    const { stdout } = this.streams;
    const hasColour = this.flags.color && isColourWanted(env, stdout.isTerminal);
    const hasLinks = hasColour && stdout.isTerminal && hasLinkSupport(env);
    return createStyle(hasColour, { hasLinks, isAccessible: this.isAccessible });
  }

  /** `ACCESSIBLE`, or else the setting. */
  get isAccessible(): boolean {
    const { env } = this.world;
    if (env.ACCESSIBLE) return isOn(env.ACCESSIBLE);
    // `doctor` works with a damaged configuration, and reports it.
    return orUndefined(() => this.settings.accessible) === 'on';
  }

  /** From here on, output that is longer than the screen goes through a pager. */
  async startPager(): Promise<void> {
    const { flags, streams, settings, world } = this;
    if (!flags.pager || !streams.stdout.isTerminal || this.isAccessible) return;
    const { startPager } = await import('../output/pager.ts');
    this.#endPager = startPager({
      ...world,
      setting: settings.pager,
      onMissing: (command) =>
        this.warn(
          'pager',
          `pager not found: ${command}. To choose another, run: mar config set pager less`,
        ),
    });
  }

  /** Waits until the user leaves the pager, if there is one. */
  async endPager(): Promise<void> {
    const end = this.#endPager;
    this.#endPager = undefined;
    await end?.();
  }

  get errorStyle(): Style {
    return styleFor(this.world, this.streams.stderr, this.flags.color);
  }

  /** Finds mistakes in the output flags before the command starts, and so before any request. */
  async prepare(): Promise<void> {
    const { jq, format } = this.flags;
    if (format === 'xlsx' && this.streams.stdout.isTerminal) {
      throw usageError(
        '-o xlsx writes a file, and standard output is a terminal',
        'Write it to a file: add -O records.xlsx to the command.',
      );
    }
    if (!jq) return;
    const { loadFilter } = await import('../output/jq.ts');
    this.#filter = await loadFilter(jq, {
      say: (text) => this.note('jq', text),
      interruptible: this.world.interruptible,
    });
  }

  get printer(): Printer {
    const { flags, world } = this;
    this.#printer ??= new Printer({
      ...flags,
      ...this.clock,
      stdout: this.streams.stdout,
      format: this.#format,
      style: this.style,
      filter: this.#filter,
      warn: (code, message, fields) => this.warn(code, message, fields),
      secrets: flags.showSecrets ? undefined : { mayHoldSecret, hideSecrets },
      paintStatus,
      userName: (id) => this.userName(id),
      interruptible: world.interruptible,
    });
    return this.#printer;
  }

  /** Used ids and seen values of this account. It stays empty if the token is from the environment. */
  get memory(): Memory {
    const identity = this.identity();
    const isOff = this.settings.rememberIds === 'off' || isFromEnvironment(identity.source);
    this.#memory ??= new Memory(this.folders.state, identity, { isOff });
    return this.#memory;
  }

  /** The name of a user, if `user list` or another command has read it before. */
  userName(id: string): string | undefined {
    this.#userNames ??= new Map(
      this.memory.entries('UserName').map(({ id: known, text }) => [known, text]),
    );
    return this.#userNames.get(id);
  }

  get #format(): Format {
    const chosen = this.flags.format ?? this.settings.output;
    return chosen ?? (this.streams.stdout.isTerminal ? 'table' : 'tsv');
  }

  get isInteractive(): boolean {
    const { stdin, stderr } = this.streams;
    return this.flags.input && stdin.isTTY === true && stderr.isTerminal;
  }

  /** Asks on the terminal of an interactive run. After a no, prints `refusal` and ends the command. */
  async confirm(question: string, refusal: string): Promise<void> {
    const { withPrompter } = await import('../output/prompt.ts');
    const ask = (prompter: Prompter) => prompter.confirm(sanitise(question));
    if (await withPrompter(this.world, ask)) return;
    this.reportOnce(refusal);
    throw new MarError('interrupted', refusal);
  }

  identity(): Identity {
    this.#identity ??= findIdentity({
      ...this.flags,
      env: this.world.env,
      config: this.config,
      store: (name) => this.store(name),
      tokenFromCommand: (command) => this.tokenFromCommand(command),
      onTokenFile: (file) => this.#warnIfExposed(file),
    });
    return this.#identity;
  }

  async tokenFromCommand(command: string): Promise<string> {
    const { runTokenCommand } = await import('../credentials/tokenCommand.ts');
    return this.waitFor('the token-command', () => runTokenCommand(command, this.world));
  }

  /** Loads the store late: a token from MAR_TOKEN needs none, and a keychain is 8 files. */
  async store(name: StoreName): Promise<TokenStore> {
    if (name !== 'file') {
      const keychain = await this.keychain();
      const read: TokenStore['read'] = (key) =>
        this.waitFor('the keychain', () => keychain.read(key));
      return { ...keychain, read };
    }
    const { tokenFile, tokenFilePath } = await import('../credentials/tokenFile.ts');
    const { config } = this.folders;
    return tokenFile(config, () => this.#warnIfExposed(tokenFilePath(config)));
  }

  async #warnIfExposed(file: string): Promise<void> {
    const { isExposed } = await import('../credentials/tokenFile.ts');
    if (!isExposed(file, this.world.platform)) return;
    const command = commandLine`chmod 600 ${file}`;
    this.warn(
      'token-readable',
      `other users can read your token; to prevent that, run: ${command}`,
    );
  }

  /** One for the whole command, because its calls share a time limit. */
  async keychain(): Promise<Keychain> {
    this.#keychain ??= import('../credentials/keychain/keychain.ts').then(({ keychain }) =>
      keychain(this.world),
    );
    return this.#keychain;
  }

  async client(): Promise<Client> {
    this.#client ??= this.clientFor(this.identity());
    return this.#client;
  }

  async clientFor(
    identity: Identity,
    more: Pick<ClientOptions, 'onResponse'> = {},
  ): Promise<Client> {
    const { baseUrl, email, origin, token } = identity;
    // The client checks each request too; this check avoids unlocking a keychain in vain.
    checkOrigin(origin, baseUrl);
    this.#transportOnce().prepare(baseUrl);
    const credentials = { email, secret: tokenSecret(await token()), origin };
    return this.clientWith(credentials, baseUrl, { loginHint: loginHint(identity), ...more });
  }

  /** A new client with credentials that are not stored, as during a login. */
  clientWith(
    credentials: Credentials,
    baseUrl: URL,
    more: Pick<ClientOptions, 'onResponse' | 'loginHint'> = {},
  ): Client {
    this.world.redactor.learn(credentials.email, credentials.secret);
    return createClient({
      baseUrl,
      credentials,
      transport: this.#transportOnce(),
      userAgent: `mar/${version}`,
      ...more,
      onMismatch: (message) => {
        if (this.flags.strict) throw new MarError('service', message);
        // Once for each field: the values of hundreds of records differ.
        if (this.#isFirst(message.replace(/, found .*/s, '')))
          this.warn('schema-mismatch', message);
      },
    });
  }

  get progressOptions(): ProgressOptions {
    return { ...this.world, ...this.flags, isAccessible: this.isAccessible };
  }

  /** Shows what the command waits for. Several waits at a time share one line. */
  async waitFor<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#waits += 1;
    this.#waiting ??= new Progress(this.progressOptions, (elapsedMs) => [
      `Waiting for ${what}… ${formatSeconds(elapsedMs / 1000)}`,
    ]);
    try {
      return await work();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) {
        this.#waiting.end();
        this.#waiting = undefined;
      }
    }
  }

  /**
   * Prints a note, for people only. `--quiet` hides it, unless it is `essential`: part of an error or of
   * a question.
   */
  reportOnce(text: string, importance?: 'essential'): void {
    if (this.isStderrForPrograms || (this.flags.quiet && importance === undefined)) return;
    if (this.#isFirst(text)) this.report(text);
  }

  /** Prints a warning. Programs need it too: a result may be wrong or incomplete. */
  warn(code: string, message: string, fields?: readonly FieldFacts[]): void {
    const text = `warning: ${message}`;
    if (this.#isFirst(text)) this.#reportFacts({ warning: { code, message, fields } }, text);
  }

  /** Prints what a program needs to know during a run. People get the text instead. */
  note(code: string, message: string, facts: object = {}, text = message): void {
    this.#reportFacts({ note: { code, message, ...facts } }, text);
  }

  #reportFacts(facts: object, text: string): void {
    const withProfile = (key: string, value: unknown) =>
      key === 'message' ? this.withProfile(String(value)) : value;
    const json = () => this.world.redactor.clean(JSON.stringify(facts, withProfile));
    if (this.isStderrForPrograms) this.#print(sanitiseLines(json()));
    else this.report(text);
  }

  #isFirst(text: string): boolean {
    const isFirst = !this.#reported.has(text);
    this.#reported.add(text);
    return isFirst;
  }

  /** True if a program reads standard error, where warnings and errors are then lines of JSON. */
  get isStderrForPrograms(): boolean {
    return this.flags.hasJsonErrors && !this.streams.stderr.isTerminal;
  }

  reportDestination({ baseUrl, email }: Identity): void {
    this.reportOnce(`Writing to ${baseUrl.host} as ${email}`);
  }

  reportAtEnd(text: string): void {
    this.#finalReports.push(text);
  }

  printFinalReports(): void {
    for (const text of this.#finalReports.splice(0)) this.reportOnce(text);
  }

  report(text: string): void {
    const { platform, redactor } = this.world;
    const fitted = (line: string) => {
      const indent = `${/^ */.exec(line)?.[0]}  `;
      return wrapMessage(line, this.streams.stderr, { indent, platform });
    };
    this.#print(sanitiseLines(redactor.clean(this.withProfile(text))).flatMap(fitted));
  }

  /** Adds `--profile` to the commands in a text, if this run was told which profile to use. */
  withProfile(text: string): string {
    return withProfile(text, this.flags.profile || this.world.env.MAR_PROFILE);
  }

  #print(lines: readonly string[]): void {
    const { stdout, stderr } = this.streams;
    // On a terminal that shows an incomplete line of the result, start a new line.
    const isShared = stdout.isTerminal && stderr.isTerminal && !stdout.redirect;
    const isMidLine = !stdout.isAtLineStart && isShared;
    if (isMidLine) stdout.isAtLineStart = true;
    // A closed standard error cannot be reported anywhere.
    stderr.write(`${isMidLine ? '\n' : ''}${lines.join('\n')}\n`).catch(() => {});
  }

  /** The certificates that TLS connections trust and show. */
  get trustOptions(): TrustOptions & { systemCa: boolean } {
    const { flags, config, settings } = this;
    const { env } = this.world;
    const { caCert, profile } = flags;
    const isGiven = (flags.clientCert ?? flags.clientKey) !== undefined;
    const shown = isGiven ? flags : profileOf(config, profileName({ env, config, profile }));
    const { clientCert, clientKey } = shown ?? {};
    return { env, caCert, clientCert, clientKey, systemCa: settings.systemCa !== 'off' };
  }

  close(): void {
    this.#transport?.close();
  }

  #transportOnce(): Transport {
    const { env, signal, redactor } = this.world;
    if (this.#transport) return this.#transport;
    const isTraced = this.flags.debug || Boolean(env.MAR_DEBUG);
    const trace = async () => {
      const { createTrace } = await import('../http/trace.ts');
      const print = (text: string) =>
        this.isStderrForPrograms
          ? this.note('trace', text)
          : this.#print(sanitiseLines(redactor.clean(text)));
      return createTrace(redactor, print, env.MAR_DEBUG === 'http');
    };
    const transport = createTransport({
      ...this.flags,
      ...this.trustOptions,
      signal,
      redactor,
      baseUrlName,
      trace: isTraced ? trace : undefined,
      onRetry: (waitMs, status) => this.streams.progress?.announceRetry(waitMs, status),
    });
    this.#transport = {
      ...transport,
      send: (request, signal) =>
        this.waitFor(request.url.host, () => transport.send(request, signal)),
    };
    return this.#transport;
  }
}
