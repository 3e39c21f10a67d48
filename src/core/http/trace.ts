import { messageOf } from '../errors.ts';
import { redacted, withoutSignature } from '../json/hideFields.ts';
import { type HttpRequest, type HttpResponse, requestIdOf } from './message.ts';
import { printableBody, printableResponse } from './printable.ts';
import { isSecretHeader, type Redactor } from './redact.ts';

const maxBodyLength = 10_000;

export type Trace = ReturnType<typeof createTrace>;

/** Prints a line for each request and each response; `full` adds headers and bodies. */
export function createTrace(redactor: Redactor, write: (line: string) => void, full: boolean) {
  const print = (text: string) => write(redactor.clean(withoutSignature(text)));

  function printDetails(headers: object, body: string, isHidden = isSecretHeader): void {
    for (const [name, value] of Object.entries(headers)) {
      print(`    ${name}: ${isHidden(name) ? redacted : String(value)}`);
    }
    for (const line of redactor.excerpt(body, maxBodyLength).split('\n')) {
      if (line.trim() !== '') write(`    ${line}`);
    }
  }

  function printRequest({ method, url, headers, body }: HttpRequest, tryNumber: number): void {
    const again = tryNumber > 1 ? ` (attempt ${tryNumber})` : '';
    const size = body === undefined ? '' : `, ${Buffer.byteLength(body)} B`;
    print(`> ${method} ${url.href}${size}${again}`);
    if (full) printDetails(headers, printableBody(body ?? ''));
  }

  function printResponse(response: HttpResponse, tookMs: number): void {
    const { request, status, headers, body } = response;
    const id = requestIdOf(headers);
    const suffix = id ? `, request id ${id}` : '';
    print(`< ${status} in ${tookMs} ms, ${body.length} B${suffix}`);
    if (!full) return;
    const isHidden = request.mayIssueToken ? mayHideToken : isSecretHeader;
    printDetails(headers, printableResponse(response), isHidden);
  }

  return {
    async around(
      request: HttpRequest,
      tryNumber: number,
      send: (request: HttpRequest) => Promise<HttpResponse>,
    ): Promise<HttpResponse> {
      const startedAt = performance.now();
      const tookMs = () => Math.round(performance.now() - startedAt);
      printRequest(request, tryNumber);
      const lastRead = async () => {
        const revision = await request.lastRead?.();
        const headers = { ...request.headers, ...revision?.headers };
        if (revision) printRequest({ ...request, ...revision, headers }, tryNumber);
        return revision;
      };
      try {
        const response = await send(request.lastRead ? { ...request, lastRead } : request);
        printResponse(response, tookMs());
        return response;
      } catch (error) {
        print(`< failed after ${tookMs()} ms: ${messageOf(error)}`);
        throw error;
      }
    },
    event: (text: string) => print(`* ${text}`),
  };
}

const mayHideToken = (name: string) =>
  !/^(?:content-(?:type|length|encoding)|date|server|connection)$/.test(name);
