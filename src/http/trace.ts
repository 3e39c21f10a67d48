import type { HttpRequest, HttpResponse } from './message.ts';
import { requestIdOf } from './message.ts';
import { printableBody, printableResponse } from './printable.ts';
import { isSecretHeader, type Redactor, withoutSignature } from './redact.ts';

const longestBody = 10_000;

/**
 * Tells what goes over the wire, a line a request and a line an answer; `full` adds headers and
 * bodies. Nothing gets out of here but through `#clean`, and so through the redactor.
 */
export class Trace {
  readonly #redactor: Redactor;
  readonly #write: (line: string) => void;
  readonly #full: boolean;

  constructor(redactor: Redactor, write: (line: string) => void, full: boolean) {
    this.#redactor = redactor;
    this.#write = write;
    this.#full = full;
  }

  /** Tells of one attempt at a request, and of what became of it. */
  async around(
    request: HttpRequest,
    attempt: number,
    send: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const startedAt = performance.now();
    this.#request(request, attempt);
    try {
      const answer = await send();
      this.#answer(answer, performance.now() - startedAt);
      return answer;
    } catch (error) {
      this.#failure(error, performance.now() - startedAt);
      throw error;
    }
  }

  #request({ method, url, headers, body }: HttpRequest, attempt: number): void {
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    const size = body === undefined ? '' : `, ${Buffer.byteLength(body)} B`;
    this.#line(`> ${method} ${url.href}${size}${again}`);
    if (this.#full) this.#details(headers, printableBody(body ?? ''));
  }

  #answer(answer: HttpResponse, tookMs: number): void {
    const { status, headers, body, mayHoldToken } = answer;
    const id = requestIdOf(headers);
    const suffix = id ? `, request id ${id}` : '';
    this.#line(`< ${status} in ${Math.round(tookMs)} ms, ${body.length} B${suffix}`);
    if (!this.#full) return;
    const shown = mayHoldToken ? plainHeaders(headers) : headers;
    this.#details(shown, printableResponse(answer));
  }

  #failure(error: unknown, tookMs: number): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#line(`< failed after ${Math.round(tookMs)} ms: ${reason}`);
  }

  note(text: string): void {
    this.#line(`* ${text}`);
  }

  #details(headers: Readonly<Record<string, unknown>>, body: string): void {
    for (const [name, value] of Object.entries(headers)) {
      this.#line(`    ${name}: ${isSecretHeader(name) ? '[redacted]' : String(value)}`);
    }
    for (const line of this.#redactor.excerpt(body, longestBody).split('\n')) {
      if (line.trim() !== '') this.#write(`    ${line}`);
    }
  }

  #line(text: string): void {
    this.#write(this.#clean(text));
  }

  #clean(text: string): string {
    return this.#redactor.clean(withoutSignature(text));
  }
}

/** Of a response that may hold a new token, the headers that cannot. */
const plainHeaders = (headers: HttpResponse['headers']) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^(?:content-(?:type|length|encoding)|date|server|connection)$/.test(name)
        ? value
        : '[redacted]',
    ]),
  );
