import { mar } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

/** Runs `translation submit` with these responses, and returns the bodies that it sent. */
export async function submit(
  responses: readonly string[],
  argv: readonly string[],
  stdin?: string,
) {
  const { env, requests } = await recordingServer(...responses);
  const outcome = await mar(['translation', 'submit', ...argv], { env, stdin });
  const sent = requests.filter((request) => request.startsWith('POST'));
  return { ...outcome, requests, bodies: sent.map((request) => request.split('\r\n\r\n')[1]) };
}

/** A whole translation. */
export const flags = ['--work-request', 'wr-1', '--asset', 'a-1', '--language', 'fra'];
