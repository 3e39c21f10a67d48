import { type Client, type Credentials, createClient, tokenSecret } from './client/client.ts';
import { type Config, configFile, type StoreName } from './config/config.ts';
import { type Environment, type Folders, findFolders } from './config/folders.ts';
import type { JsonFile } from './config/jsonFile.ts';
import { findIdentity, type Identity } from './credentials/identity.ts';
import type { TokenStore } from './credentials/store.ts';
import { tokenFile } from './credentials/tokenFile.ts';
import { MarError } from './errors.ts';
import { createTransport, type Transport } from './http/transport.ts';
import { colourOn } from './terminal/colour.ts';
import type { Format } from './terminal/format.ts';
import { Printer } from './terminal/printer.ts';
import { sanitiseLines } from './terminal/sanitise.ts';
import type { Streams } from './terminal/streams.ts';
import { createStyle } from './terminal/style.ts';
import { version } from './version.ts';

/** The flags that every command takes, read and checked. */
export interface GlobalFlags {
  /** As asked for; else a table on a terminal, tab-separated values elsewhere. */
  format?: Format;
  columns?: readonly string[];
  showSecrets: boolean;
  strict: boolean;
  /** `--no-color` makes it false. */
  color: boolean;
  profile?: string;
  baseUrl?: string;
  allowHttp: boolean;
  timeoutMs: number;
}

/** What the world gives to the program. Tests give their own. */
export interface World {
  streams: Streams;
  env: Environment;
  platform: NodeJS.Platform;
  now(): Date;
  /** Aborts when the user interrupts; its reason is the error to end with. */
  signal: AbortSignal;
}

const maxBodyBytes = 256 * 1024 * 1024;

/** What a command gets. Whatever costs time or can fail is made when it is first asked for. */
export class Context {
  readonly world: World;
  readonly streams: Streams;
  readonly flags: GlobalFlags;
  readonly folders: Folders;
  readonly configFile: JsonFile<Config>;
  readonly printer: Printer;
  #identity?: Promise<Identity>;
  #transport?: Transport;
  #noted = new Set<string>();

  constructor(world: World, flags: GlobalFlags) {
    const { stdout } = world.streams;
    this.world = world;
    this.streams = world.streams;
    this.flags = flags;
    this.folders = findFolders(world.env, world.platform);
    this.configFile = configFile(this.folders.config);
    this.printer = new Printer({
      stdout,
      format: flags.format ?? (stdout.isTerminal ? 'table' : 'tsv'),
      style: createStyle(flags.color && colourOn(world.env, stdout.isTerminal)),
      now: world.now(),
      columns: flags.columns,
      showSecrets: flags.showSecrets,
    });
  }

  identity(): Promise<Identity> {
    this.#identity ??= this.configFile.read().then((config) =>
      findIdentity({
        env: this.world.env,
        config,
        profile: this.flags.profile,
        baseUrl: this.flags.baseUrl,
        allowHttp: this.flags.allowHttp,
        store: (name) => this.store(name),
      }),
    );
    return this.#identity;
  }

  store(name: StoreName): TokenStore {
    if (name === 'file') return tokenFile(this.folders.config);
    throw new MarError('credential-store', 'this version of mar cannot use the keychain yet', {
      hint: 'log in with --insecure-storage, or set MAR_TOKEN',
    });
  }

  /** The service, as the user who is logged in. */
  async client(): Promise<Client> {
    const { baseUrl, email, origin, token } = await this.identity();
    const credentials = { email, secret: tokenSecret(await token()), origin };
    return this.clientAs(credentials, baseUrl);
  }

  /** The service, with credentials that are not stored (yet). */
  clientAs(credentials: Credentials, baseUrl: URL): Client {
    return createClient({
      baseUrl,
      credentials,
      transport: this.#connect(),
      userAgent: `mar/${version}`,
      onMisfit: (message) => {
        if (this.flags.strict) throw new MarError('service', message);
        this.note(`warning: ${message}`);
      },
    });
  }

  /** Says something beside the result, on standard error; the same only once. */
  note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    // Nobody listens to a closed standard error: there is nobody to tell.
    this.streams.stderr.write(`${sanitiseLines(text).join('\n')}\n`).catch(() => {});
  }

  close(): void {
    this.#transport?.close();
  }

  #connect(): Transport {
    this.#transport ??= createTransport({
      timeoutMs: this.flags.timeoutMs,
      maxBodyBytes,
      signal: this.world.signal,
    });
    return this.#transport;
  }
}
