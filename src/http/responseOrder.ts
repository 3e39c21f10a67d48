import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Route } from './route.ts';

/*
 * HTTP/1.1 pairs responses with requests by their order on a connection, and by nothing else. If a
 * service or proxy sends one response twice, every later response on that connection is taken for the
 * response to the wrong request. These rules prevent that:
 *
 * - When bytes arrive on an idle connection, it is closed.
 * - A request is written to a kept connection only after a turn of the event loop in which nothing
 *   arrived.
 * - A connection is kept only after a success. A refusal that comes twice could otherwise hide that
 *   the next write was carried out.
 * - Reads and writes do not share connections (see `transport.ts`). A record that comes twice could
 *   otherwise look like the result of writing it.
 *
 * One case remains: a success comes again after the next request of its kind was written. Only the id
 * in it shows that. The caller that compares ids calls `Transport.useNewConnections`, before the next
 * turn of the event loop, so that nothing more is written to the connection.
 */

/** Below this, a service that restarts would end the use of kept connections for the rest of a batch. */
const minIdleMs = 5;

/** Shared by all connections of a transport. */
export class ResponseOrder {
  /** False after the first response out of step: from then on, no connection is used twice. */
  keepsConnections = true;
  readonly #turns = new WeakMap<Socket, Turn>();
  /** The service closes connections that are idle for longer. */
  #maxIdleMs = Number.POSITIVE_INFINITY;

  /** The next response on this connection is for this turn. */
  assign(socket: Socket, turn: Turn): void {
    const before = this.#turns.get(socket);
    this.#turns.set(socket, turn);
    turn.keptSince = before?.keptSince;
    if (before) return;
    socket.once('close', (isReset) => {
      // Half of it, because the end of a connection takes a while to arrive here.
      const maxIdleMs = Math.max(this.#idleMs(socket) / 2, minIdleMs);
      const isClosedByService = isReset || socket.readableEnded;
      if (isClosedByService && maxIdleMs < this.#maxIdleMs) this.#maxIdleMs = maxIdleMs;
    });
    // Runs before Node's listener, which takes any bytes for the response to the current request.
    socket.prependListener('data', (chunk: Buffer) => {
      const last = this.#turns.get(socket);
      if (last?.isAwaitingResponse) return;
      if (!isHarmless(chunk)) last?.markDoubtful();
      socket.destroy();
    });
  }

  /** Whether the service may be closing this connection: it would not get the next request. */
  isTooOld(socket: Socket): boolean {
    return this.#idleMs(socket) > this.#maxIdleMs;
  }

  /** NaN for a connection that was not kept. Not from `performance`, which loads 9 modules of Node. */
  #idleMs = (socket: Socket) => Date.now() - (this.#turns.get(socket)?.keptSince ?? Number.NaN);
}

/** One request on one connection: how far it came, and whether its response is its own. */
export class Turn {
  readonly #route: Route;
  readonly #order: ResponseOrder;
  readonly #outgoing: ClientRequest;
  readonly #onDoubt: () => void;
  #incoming?: IncomingMessage;
  #socket?: Socket;
  #isConnected = false;
  /** False on a kept connection until it was checked, and on any connection until the last read. */
  isWritten = false;
  /** When the connection became idle; before a response, after the turn before this one. */
  keptSince: number | undefined;

  constructor(route: Route, order: ResponseOrder, outgoing: ClientRequest, onDoubt: () => void) {
    this.#route = route;
    this.#order = order;
    this.#outgoing = outgoing;
    this.#onDoubt = onDoubt;
  }

  /** Not the first request on its connection. */
  get isReused(): boolean {
    return this.#outgoing.reusedSocket;
  }

  /** Some of the request may have left this machine. */
  get isSent(): boolean {
    return this.#isConnected && this.isWritten;
  }

  /** Nothing was written to an open connection: the request can still go to another one. */
  get isReplaceable(): boolean {
    return (this.isReused || this.#isConnected) && !this.isWritten;
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
    // With a tunnel, a socket leads through the proxy, not to it.
    return (tunnel ? this.#socket : this.#isConnected) ? undefined : proxy;
  }

  /**
   * Writes the request: at once on a new connection, and after a last check on a kept one. With a last
   * look, which returns the body, it waits for an open connection. If the connection turns out to be
   * unusable, the request fails unwritten.
   */
  write(body: string | undefined, lastRead?: () => Promise<string | undefined>): void {
    this.#outgoing.on('socket', (socket) => {
      if (!this.isReused) this.#order.assign(socket, this);
      this.#watch(socket, () => {
        if (!this.isWritten) void this.#writeToOpen(socket, body, lastRead);
      });
    });
    if (this.isReused || lastRead) return;
    this.isWritten = true;
    this.#outgoing.end(body);
  }

  #watch(socket: Socket & { encrypted?: boolean }, onOpen: () => void): void {
    this.#socket = socket;
    const open = () => {
      this.#isConnected = true;
      onOpen();
    };
    if (this.isReused || (!socket.connecting && !socket.encrypted)) open();
    else socket.once(socket.encrypted ? 'secureConnect' : 'connect', open);
  }

  async #writeToOpen(
    socket: Socket,
    body: string | undefined,
    lastRead: (() => Promise<string | undefined>) | undefined,
  ): Promise<void> {
    if (!(await this.#isUsable(socket))) return;
    const content = lastRead ? await lastRead() : body;
    if (lastRead && !(await this.#isUsable(socket))) return;
    this.#order.assign(socket, this);
    this.isWritten = true;
    this.#outgoing.end(content);
  }

  async #isUsable(socket: Socket): Promise<boolean> {
    await everythingRead();
    const isKept = this.#order.keepsConnections && !this.#order.isTooOld(socket);
    if (this.isReused && !isKept) socket.destroy();
    return !socket.destroyed && !this.#outgoing.destroyed;
  }

  /** The response has begun. Called before anything else listens for its end. */
  begin(incoming: IncomingMessage): void {
    this.#incoming = incoming;
    this.keptSince = undefined;
    const { statusCode = 0 } = incoming;
    // Runs before Node makes the connection available to the next request.
    incoming.on('end', () => {
      // Node closes the connection itself if a second response starts in the chunk that ends this one.
      if (this.#socket?.destroyed && this.#outgoing.shouldKeepAlive) this.markDoubtful();
      if (!this.#order.keepsConnections || statusCode >= 300) this.#socket?.destroy();
      else if (this.#outgoing.shouldKeepAlive) this.keptSince = Date.now();
    });
  }

  /**
   * Checks a response that came before the whole request was sent. A service may refuse a request
   * early; it cannot have carried it out. TLS reports a finished write one turn late.
   */
  async checkEarly({ statusCode = 0 }: IncomingMessage): Promise<void> {
    if (!this.#outgoing.writableFinished) await everythingRead();
    if (this.#outgoing.writableFinished) return;
    if (statusCode < 400) this.#onDoubt();
    this.#socket?.destroy();
  }

  /** More responses came than requests. The first on a connection still belongs to its request. */
  markDoubtful(): void {
    this.#order.keepsConnections = false;
    if (this.isReused) this.#onDoubt();
  }

  abandon(): void {
    this.#outgoing.destroy();
  }
}

/**
 * Waits until the event loop has read everything that had arrived when this was called: it asks the
 * system once in each iteration, so a new one must begin.
 */
export async function everythingRead(): Promise<void> {
  const iteration = loopCount();
  do await new Promise(setImmediate);
  while (loopCount() === iteration);
}

const loopCount = () => performance.nodeTiming.uvMetricsInfo.loopCount;

/** An empty line, or the 408 with which a service announces that it closes an idle connection. */
const isHarmless = (chunk: Buffer) =>
  /^\s*$|^HTTP\/1\.[01] 408\b/.test(chunk.toString('latin1', 0, 32));
