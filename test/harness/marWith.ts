import { mar, type Outcome, type RunOptions } from './mar.ts';
import { recordingServer } from './recordingServer.ts';

type Response = Parameters<typeof recordingServer>[number];

/** Runs the program with a service that sends these responses, one for each request; the last one repeats. */
export async function marWith(
  responses: Response | readonly Response[],
  argv: readonly string[],
  options: Omit<RunOptions, 'env'> = {},
): Promise<Outcome> {
  const { env } = await recordingServer(...[responses].flat());
  return mar(argv, { ...options, env });
}
