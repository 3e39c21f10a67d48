import { redacted } from '../json/secrets.ts';
import { withoutSignature } from '../values/url.ts';
import { type HttpRequest, type HttpResponse, requestIdOf } from './message.ts';
import { printableBody, printableResponse } from './printable.ts';
import { isSecretHeader, type Redactor } from './redact.ts';

const maxBodyLength = 10_000;

/**
 * Prints a line for each request and each response; `full` adds headers and bodies. Every line goes
 * through the redactor.
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
  async around(
    request: HttpRequest,
    tryNumber: number,
    send: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const startedAt = performance.now();
    this.#request(request, tryNumber);
    try {
      const response = await send();
      this.#response(response, performance.now() - startedAt);
      return response;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#line(`< failed after ${Math.round(performance.now() - startedAt)} ms: ${reason}`);
      throw error;
    }
  }

  event(text: string): void {
    this.#line(`* ${text}`);
  }

  #request({ method, url, headers, body }: HttpRequest, tryNumber: number): void {
    const again = tryNumber > 1 ? ` (attempt ${tryNumber})` : '';
    const size = body === undefined ? '' : `, ${Buffer.byteLength(body)} B`;
    this.#line(`> ${method} ${url.href}${size}${again}`);
    if (this.#full) this.#details(headers, printableBody(body ?? ''));
  }

  #response(response: HttpResponse, tookMs: number): void {
    const { status, headers, body, mayHoldToken } = response;
    const id = requestIdOf(headers);
    const suffix = id ? `, request id ${id}` : '';
    this.#line(`< ${status} in ${Math.round(tookMs)} ms, ${body.length} B${suffix}`);
    if (!this.#full) return;
    this.#details(mayHoldToken ? withoutTokens(headers) : headers, printableResponse(response));
  }

  #details(headers: Readonly<Record<string, unknown>>, body: string): void {
    for (const [name, value] of Object.entries(headers)) {
      this.#line(`    ${name}: ${isSecretHeader(name) ? redacted : String(value)}`);
    }
    for (const line of this.#redactor.excerpt(body, maxBodyLength).split('\n')) {
      if (line.trim() !== '') this.#write(`    ${line}`);
    }
  }

  #line(text: string): void {
    this.#write(this.#redactor.clean(withoutSignature(text)));
  }
}

const withoutTokens = (headers: HttpResponse['headers']) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^(?:content-(?:type|length|encoding)|date|server|connection)$/.test(name) ? value : redacted,
    ]),
  );
