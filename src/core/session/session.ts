import type { Service } from '../api/service.ts';
import { type Client, createClient } from '../client/client.ts';
import { type Credentials, checkOrigin, tokenSecret } from '../client/tokenOrigin.ts';
import { originOf } from '../config/baseUrl.ts';
import {
  type Config,
  configFile,
  profileName,
  profileOf,
  type Settings,
  type StoreName,
} from '../config/configFile.ts';
import { type Folders, findFolders, logPath } from '../config/folders.ts';
import { Memory } from '../config/memory.ts';
import { serviceOf } from '../config/serviceSettings.ts';
import {
  findIdentity,
  type Identity,
  isFromEnvironment,
  loginHint,
  type TokenStore,
} from '../credentials/identity.ts';
import { type Hints, MarError, orUndefined, runHint, usageError } from '../errors.ts';
import type { JsonFile } from '../files/jsonFile.ts';
import { createTransport, type Transport } from '../http/transport.ts';
import type { TrustOptions } from '../http/trust.ts';
import type { AccountLog } from '../log/accountLog.ts';
import { isListDrawn } from '../output/printResults.ts';
import type { Reporter } from '../output/reporter.ts';
import { isOn } from '../output/style.ts';
import type { ServiceClock } from '../records/status.ts';
import { words } from '../values/commandLine.ts';
import { lazily } from '../values/concurrency.ts';
import { readTime, type TimeUnit, timeUnits } from '../values/time.ts';
import type { GlobalFlags, World } from '../world.ts';

/** An account at a service: configuration, identity, client and memory. Each is made once, on first use. */
export class Session {
  readonly folders: Folders;
  readonly configFile: JsonFile<Config>;
  readonly #world: World;
  readonly #flags: GlobalFlags;
  readonly #reporter: Reporter;
  #config?: Config;
  #transport?: Transport;
  #memory?: Memory;
  hasSentWrite = false;

  constructor(world: World, flags: GlobalFlags, reporter: Reporter) {
    this.#world = world;
    this.#flags = flags;
    this.#reporter = reporter;
    this.folders = findFolders(world.env, world.platform);
    this.configFile = configFile(this.folders.config, world.userId);
  }

  /** Another session of this account, whose requests are not repeated. */
  withoutRetries(): Session {
    return new Session(this.#world, { ...this.#flags, retries: 0 }, this.#reporter);
  }

  /** The session of a profile. Another one gets no token, address or certificate that was given for this one. */
  ofProfile(profile: string): Session {
    if (profile === this.#profileName) return this;
    const own = ['MAR_TOKEN', 'MAR_TOKEN_FILE', 'MAR_EMAIL', 'MAR_BASE_URL', 'MAR_PROFILE'];
    const others = Object.entries(this.#world.env).filter(([name]) => !own.includes(name));
    const world = { ...this.#world, env: Object.fromEntries(others) };
    const none = { baseUrl: undefined, clientCert: undefined, clientKey: undefined };
    return new Session(world, { ...this.#flags, ...none, profile }, this.#reporter);
  }

  /** The configuration at first use; `configFile` changes it. */
  get config(): Config {
    this.#config ??= this.configFile.read();
    return this.#config;
  }

  get settings(): Settings {
    return this.config.settings ?? {};
  }

  /** The behaviour of the service: known, assumed, or set for the profile. */
  readonly service = lazily((): Service => {
    const { env } = this.#world;
    const profile = profileOf(this.config, this.#profileName);
    const used = orUndefined(() => this.identity().baseUrl.href);
    // The environment may name another service than the profile.
    return serviceOf(env, used && used !== profile?.baseUrl ? undefined : profile);
  });

  readonly timeUnit = lazily((): TimeUnit => {
    const set = this.service().value('time', 'unit');
    return timeUnits.find((unit) => unit === set) ?? 'auto';
  });

  /** Describes the service only on use: without its file, `config unset service` must work. */
  get clock(): ServiceClock {
    const date = (value: unknown) => readTime(value, this.timeUnit());
    return { now: this.#world.now(), date, service: this.service };
  }

  /** `ACCESSIBLE`, or else the setting. */
  get isAccessible(): boolean {
    const { env } = this.#world;
    if (env.ACCESSIBLE) return isOn(env.ACCESSIBLE);
    // `doctor` works with a damaged configuration, and reports it.
    return orUndefined(() => this.settings.accessible) === 'on';
  }

  /** True if a person sees the records, unlike a pipe, a file, a program or an agent. */
  get isOnScreen(): boolean {
    const { stdout } = this.#world.streams;
    return stdout.isTerminal && isListDrawn(this.#flags, this.settings.output, stdout);
  }

  /** Used ids and seen values of this account. It stays empty if the token is from the environment. */
  get memory(): Memory {
    const identity = this.identity();
    const isDisabled = this.settings.rememberIds === 'off' || isFromEnvironment(identity.source);
    this.#memory ??= new Memory(this.folders.state, identity, { isDisabled });
    return this.#memory;
  }

  /**
   * The writes to the service from this machine, by all accounts. Undefined if nothing is recorded:
   * `off`, or a token from the environment without a file for it.
   */
  async log(file = this.#world.env.MAR_LOG): Promise<AccountLog | undefined> {
    const { baseUrl, source } = this.identity();
    if (file === 'off' || (!file && isFromEnvironment(source))) return undefined;
    const { AccountLog } = await import('../log/accountLog.ts');
    return new AccountLog(file || logPath(this.folders.state, baseUrl), this.#world.now);
  }

  /** The name of a user, if `user list` or another command has read it before. */
  userName(id: string): string | undefined {
    return this.#userNames().get(id);
  }

  /** The users whose names were read before. */
  userIds(): readonly string[] {
    return [...this.#userNames().keys()];
  }

  /** Also for the rest of a run that remembers nothing. */
  learnUserNames(users: readonly { id: string; name: string }[]): void {
    for (const { id, name } of users) this.#userNames().set(id, name);
  }

  readonly #userNames = lazily(
    () => new Map(this.memory.entries('UserName').map(({ id, text }) => [id, text])),
  );

  readonly identity = lazily(() =>
    findIdentity({
      ...this.#flags,
      env: this.#world.env,
      config: this.config,
      store: (name) => this.store(name),
      tokenFromCommand: (command) => this.tokenFromCommand(command),
      onTokenFile: (file) => this.#warnIfExposed(file),
    }),
  );

  async tokenFromCommand(command: string): Promise<string> {
    const { runTokenCommand } = await import('../credentials/tokenCommand.ts');
    return this.#reporter.waitFor('the token-command', () => runTokenCommand(command, this.#world));
  }

  /** Loads the store late: a token from MAR_TOKEN needs none, and a keychain is 8 files. */
  async store(name: StoreName): Promise<TokenStore> {
    if (name !== 'file') {
      const keychain = await this.keychain();
      const read: TokenStore['read'] = (key) =>
        this.#reporter.waitFor('the keychain', () => keychain.read(key));
      return { ...keychain, read };
    }
    const { tokenFile, tokenFilePath } = await import('../credentials/tokenFile.ts');
    const { config } = this.folders;
    return tokenFile(config, () => this.#warnIfExposed(tokenFilePath(config)));
  }

  async #warnIfExposed(file: string): Promise<void> {
    const { isExposed } = await import('../credentials/tokenFile.ts');
    if (!isExposed(file, this.#world.platform)) return;
    this.#reporter.warn(
      'token-readable',
      runHint('other users can read your token; to prevent that', words`chmod 600 ${file}`),
    );
  }

  /** One for the whole command, because its calls share a time limit. */
  readonly keychain = lazily(async () => {
    const { keychain } = await import('../credentials/keychain/keychain.ts');
    return keychain(this.#world);
  });

  readonly client = lazily(async () => this.clientFor(this.identity()));

  async clientFor(identity: Identity) {
    const { baseUrl, email, origin, token } = identity;
    // The client checks each request too; this check avoids unlocking a keychain in vain.
    checkOrigin(origin, baseUrl);
    this.#transportOnce().prepare(baseUrl);
    const credentials = { email, secret: tokenSecret(await token()), origin };
    return this.clientWith(credentials, baseUrl, loginHint(identity));
  }

  /** A new client with credentials that are not stored, as during a login. */
  clientWith(credentials: Credentials, baseUrl: URL, loginHint?: Hints): Client {
    this.#world.redactor.learn(credentials.email, credentials.secret);
    return createClient({
      baseUrl,
      credentials,
      transport: this.#transportOnce(),
      loginHint,
      beforeWrite: () => this.refuseReadOnly(),
      onWrite: () => {
        this.hasSentWrite = true;
      },
      onMismatch: (message, subject) => {
        if (this.#flags.strict) throw new MarError('service', message);
        // Once for each field: the values of hundreds of records differ.
        if (this.#reporter.isFirst(`mismatch of ${subject}`)) {
          this.#reporter.warn('schema-mismatch', message);
        }
      },
    });
  }

  /** Throws if this run may only read. */
  refuseReadOnly(): void {
    if (!isOn(this.#world.env.MAR_READ_ONLY)) return;
    const hint = 'Nothing was sent. To write, unset MAR_READ_ONLY.';
    throw usageError('MAR_READ_ONLY is set, so mar only reads', hint, { outcome: 'not-sent' });
  }

  reportDestination({ baseUrl, email }: Identity = this.identity()): void {
    this.#reporter.reportOnce(`Writing to ${baseUrl.host} as ${email}`);
  }

  /** The certificates that TLS connections trust and show. */
  get trustOptions(): TrustOptions & { systemCa: boolean } {
    const { config, settings } = this;
    const { env } = this.#world;
    const { caCert, clientCert: ownCert, clientKey: ownKey } = this.#flags;
    const trust = { env, caCert, systemCa: settings.systemCa !== 'off' };
    if ((ownCert ?? ownKey) !== undefined) {
      return { ...trust, clientCert: ownCert, clientKey: ownKey };
    }
    const own = profileOf(config, this.#profileName);
    if (!own) return trust;
    const { clientCert, clientKey, baseUrl } = own;
    // No certificate goes to a service with an invalid address.
    return { ...trust, clientCert, clientKey, clientOrigin: originOf(baseUrl) ?? '' };
  }

  get #profileName(): string {
    const { profile } = this.#flags;
    return profileName({ env: this.#world.env, config: this.config, profile });
  }

  close(): void {
    this.#transport?.close();
  }

  #transportOnce(): Transport {
    if (this.#transport) return this.#transport;
    const { env, signal, redactor } = this.#world;
    const reporter = this.#reporter;
    const isTraced = this.#flags.debug || isOn(env.MAR_DEBUG);
    const trace = async () => {
      const { createTrace } = await import('../http/trace.ts');
      return createTrace(redactor, (text) => reporter.trace(text), env.MAR_DEBUG === 'http');
    };
    const transport = createTransport({
      ...this.#flags,
      ...this.trustOptions,
      signal,
      redactor,
      trace: isTraced ? trace : undefined,
      onRetry: (waitMs, status) => reporter.announceRetry(waitMs, status),
    });
    this.#transport = {
      ...transport,
      send: (request, own) =>
        reporter.waitFor(request.url.host, () => transport.send(request, own)),
    };
    return this.#transport;
  }
}
