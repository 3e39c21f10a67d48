import type { HttpRequest } from './message.ts';

/** It was sent, and nothing that came back tells what became of it. */
export const isUnknown = (request: HttpRequest) =>
  `whether the ${request.method} was carried out is unknown: ${lookFirst(request)}`;

/** It was answered, and so was carried out as far as anybody can tell. */
export const isProbablyDone = (request: HttpRequest) =>
  `the ${request.method} was probably carried out: ${lookFirst(request)}`;

const lookFirst = ({ look }: HttpRequest) =>
  `look before you send it again${look === undefined ? '' : ` (${look})`}`;
