import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/*
 * HTTP/1.1 pairs responses with requests by their order on a connection, and by nothing else. A
 * service or proxy that answers one request twice shifts every later response on that connection.
 *
 * So a kept connection is closed when anything arrives on it while it is idle, and a request is
 * written to one only after a turn of the event loop in which nothing arrived. A response that equals
 * an earlier one on its connection may be its duplicate, so it counts only if no further response
 * follows. After the first sign of disorder, every request gets a connection of its own.
 *
 * Two cases cannot be detected: an unrequested response that differs from the earlier ones and
 * arrives while the next request is on its way; and one that is sent on a new connection before the
 * request is read.
 */

/** A late duplicate may arrive after several other responses. */
const maxRecent = 8;
/** The start of a body is enough, since an equal response is only a reason to wait. */
const maxComparedBytes = 2048;
const minQuietMs = 250;
const maxQuietMs = 1000;
/** After this many waits for nothing, equal responses with that status are normal for this service. */
const maxVainWaits = 4;

/** The parts of a response that are compared to find duplicates. */
interface SeenResponse {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly size: number;
  readonly start: Buffer;
}

interface Connection {
  readonly socket: Socket;
  /** The request in progress, until its response is accepted. */
  turn?: Turn;
  readonly recent: SeenResponse[];
  /** Pending while the last response may still turn out to be a duplicate. */
  quiet?: Promise<void>;
  /** The longest exchange. The first is not measured, since loading the clock delays start-up. */
  longestMs: number;
}

/** Keeps the responses on all connections of a route in step with their requests. */
export class ResponseOrder {
  readonly #connections = new Map<Socket, Connection>();
  /** Set when a response came out of step. From then on no connection is used twice. */
  isBroken = false;
  /**
   * Counted by status: equal refusals of many rows are normal, while each created record has its own
   * id, so equal responses to those still mean a duplicate.
   */
  readonly #vainWaits = new Map<number, number>();

  isPatient(status: number): boolean {
    return (this.#vainWaits.get(status) ?? 0) < maxVainWaits;
  }

  addVainWait(status: number): void {
    this.#vainWaits.set(status, (this.#vainWaits.get(status) ?? 0) + 1);
  }

  connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known) return known;
    const connection: Connection = { socket, recent: [], longestMs: 0 };
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    // Runs before Node's listener, which takes any bytes for the response to the current request.
    socket.prependListener('data', (chunk: Buffer) => {
      if (connection.turn?.isAwaitingResponse) return;
      if (isHarmless(chunk)) socket.destroy();
      else this.break(socket);
    });
    return connection;
  }

  /** Gives up every connection whose responses may be out of step, starting with this one. */
  break(where: Socket): void {
    this.isBroken = true;
    for (const { socket, turn } of [...this.#connections.values()]) {
      // The first response on a connection belongs to its first request, whatever follows it.
      const isInStep = turn !== undefined && !turn.isReused;
      if (!isInStep) turn?.doubt();
      if (!isInStep || socket === where) socket.destroy();
    }
  }
}

/** The part of a route that a turn needs. With `tunnel`, a socket leads through the proxy, not to it. */
interface RoutePart {
  order: ResponseOrder;
  proxy?: URL;
  tunnel?: unknown;
}

/** One request on one connection: how far it came, and whether its response is its own. */
export class Turn {
  readonly #route: RoutePart;
  readonly #outgoing: ClientRequest;
  readonly #onDoubt: () => void;
  #connection?: Connection;
  #incoming?: IncomingMessage;
  #hasSocket = false;
  #isConnected = false;
  /** False on a kept connection until it was checked. The request can still go to another one. */
  isWritten = false;
  #writtenAt = 0;

  constructor(route: RoutePart, outgoing: ClientRequest, onDoubt: () => void) {
    this.#route = route;
    this.#outgoing = outgoing;
    this.#onDoubt = onDoubt;
  }

  get isReused(): boolean {
    return this.#outgoing.reusedSocket;
  }

  /** Some of the request may have left this machine. */
  get isSent(): boolean {
    return this.#isConnected && this.isWritten;
  }

  get hasResponse(): boolean {
    return this.#incoming !== undefined;
  }

  get isAwaitingResponse(): boolean {
    return this.isWritten && !this.#incoming?.complete;
  }

  /** The proxy, while the request has not come past it. */
  get waitingFor(): URL | undefined {
    const { proxy, tunnel } = this.#route;
    return (tunnel ? this.#hasSocket : this.#isConnected) ? undefined : proxy;
  }

  /**
   * Writes the request: at once on a new connection, and after a last look on a kept one. If that
   * finds the connection unusable, the request fails unwritten.
   */
  write(body: string | undefined): void {
    this.#outgoing.on('socket', (socket) => {
      this.#watch(socket);
      const connection = this.#route.order.connectionOf(socket);
      if (!this.isReused) this.#take(connection);
      else if (this.#route.order.isBroken) socket.destroy();
      else void this.#writeWhenQuiet(connection, body);
    });
    if (this.isReused) return;
    this.isWritten = true;
    this.#outgoing.end(body);
  }

  #watch(socket: Socket & { encrypted?: boolean }): void {
    this.#hasSocket = true;
    this.#isConnected = this.isReused || (!socket.connecting && !socket.encrypted);
    if (this.#isConnected) return;
    socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
      this.#isConnected = true;
    });
  }

  async #writeWhenQuiet(connection: Connection, body: string | undefined): Promise<void> {
    if (connection.quiet) await connection.quiet;
    await everythingRead();
    if (connection.socket.destroyed || this.#outgoing.destroyed) return;
    this.#take(connection);
    this.#writtenAt = performance.now();
    this.isWritten = true;
    this.#outgoing.end(body);
  }

  #take(connection: Connection): void {
    this.#connection = connection;
    connection.turn = this;
  }

  /** The response has begun. Called before anything else listens for its end. */
  begin(incoming: IncomingMessage): void {
    this.#incoming = incoming;
    incoming.on('end', () => this.#checkEnd());
  }

  /** Runs before Node makes the connection available to the next request. */
  #checkEnd(): void {
    const { socket } = this.#connection ?? {};
    if (!socket) return;
    // Node closes the connection itself if a second response starts in the chunk that ends this one.
    if (socket.destroyed && this.#outgoing.shouldKeepAlive) this.#route.order.break(socket);
    if (this.#route.order.isBroken) socket.destroy();
  }

  /** Waits until the response counts, or has been doubted. */
  async settle(incoming: IncomingMessage, body: Buffer): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    const { recent, socket } = connection;
    if (!this.#outgoing.writableFinished) await this.#settleEarly(incoming, socket);
    const response = responseOf(incoming, body);
    const { status } = response;
    const isRepeat = this.isReused && recent.some((earlier) => isEqual(earlier, response));
    if (this.isReused) {
      connection.longestMs = Math.max(connection.longestMs, performance.now() - this.#writtenAt);
    }
    if (recent.push(response) > maxRecent) recent.shift();
    if (isRepeat && this.#route.order.isPatient(status) && !socket.destroyed) {
      connection.quiet = quiet(connection);
      await connection.quiet;
      connection.quiet = undefined;
      if (isClosedByNode(socket) && !this.#route.order.isBroken) {
        this.doubt();
        this.#route.order.break(socket);
      }
      this.#route.order.addVainWait(status);
    }
    if (connection.turn === this) connection.turn = undefined;
  }

  /**
   * The response came before the whole request was sent. A service may refuse a request early; it
   * cannot have carried it out. TLS reports a finished write one turn late.
   */
  async #settleEarly({ statusCode = 0 }: IncomingMessage, socket: Socket): Promise<void> {
    await everythingRead();
    if (this.#outgoing.writableFinished) return;
    if (statusCode < 400) this.doubt();
    socket.destroy();
  }

  doubt(): void {
    this.#onDoubt();
  }

  abandon(): void {
    this.#outgoing.destroy();
    if (this.#connection?.turn === this) this.#connection.socket.destroy();
  }
}

/**
 * Waits until the event loop has read everything that had arrived when this was called: it asks the
 * system once in each iteration, so a new one must begin.
 */
async function everythingRead(): Promise<void> {
  const iteration = loopCount();
  do await new Promise(setImmediate);
  while (loopCount() === iteration);
}

const loopCount = () => performance.nodeTiming.uvMetricsInfo.loopCount;

function quiet({ socket, longestMs }: Connection): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      socket.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(maxQuietMs, Math.max(minQuietMs, 2 * longestMs)));
    socket.on('close', end);
  });
}

/**
 * Newer releases of Node close an idle connection themselves when anything arrives on it, without an
 * event for the bytes. They do the same when the service closes it, so that counts as disorder too.
 */
const isClosedByNode = (socket: Socket) => socket.destroyed && !socket.readableEnded;

function responseOf({ statusCode, rawHeaders }: IncomingMessage, body: Buffer): SeenResponse {
  const start =
    body.length <= maxComparedBytes ? body : Buffer.from(body.subarray(0, maxComparedBytes));
  return { status: statusCode ?? 0, rawHeaders, size: body.length, start };
}

const isEqual = (one: SeenResponse, other: SeenResponse) =>
  one.status === other.status &&
  one.size === other.size &&
  one.start.equals(other.start) &&
  one.rawHeaders.join() === other.rawHeaders.join();

/** An empty line, or a service's announcement that it closes a connection it has waited on. */
const isHarmless = (chunk: Buffer) =>
  /^\s*$|^HTTP\/1\.[01] 408\b/.test(chunk.toString('latin1', 0, 32));
