import type { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  fromJsonSchema,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Program } from '../../core/commands/command.ts';
import { messageOf } from '../../core/errors.ts';
import type { Context } from '../../core/session/context.ts';
import { version } from '../../core/version.ts';
import { Agent, type AgentOptions, type Client } from './agent.ts';
import { fieldsChecker } from './checkFields.ts';
import tasks from './tasks.json' with { type: 'json' };
import { type Fields, toolsFor } from './tools.ts';

interface ServerOptions extends AgentOptions {
  allowWrites: boolean;
}

/** Serves one client, until it closes standard input. */
export async function serve(
  context: Context,
  program: Program,
  options: ServerOptions,
): Promise<void> {
  const agent = new Agent(context, program, options);
  await new Promise<void>((ended) => {
    const { stdin, stdout } = context.world.streams;
    const transport = new StdioServerTransport(stdin as Readable, stdout.terminal);
    const close = transport.close.bind(transport);
    transport.close = () => {
      agent.leave();
      return close().then(ended);
    };
    const onerror = (error: Error) => {
      if (!context.world.signal.aborted) context.reporter.report(`warning: ${messageOf(error)}`);
    };
    const connection = serveStdio(() => serverFor(agent, options), { transport, onerror });
    context.world.signal.addEventListener('abort', () => connection.close(), { once: true });
  });
  await agent.finish();
}

function serverFor(agent: Agent, { allowWrites }: ServerOptions): McpServer {
  const { instructions } = tasks;
  const server = new McpServer({ name: 'mar', version }, { instructions });
  const clientOf = ({ envelope = {} }: ServerContext['mcpReq']): Client => {
    const own = envelope as Record<string, ClientCapabilities & { name?: string }>;
    const declared = own[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
    const { name } = own[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion() ?? {};
    const { elicitation } = declared ?? {};
    const canAsk = Boolean(elicitation?.form ?? (elicitation && !elicitation.url));
    return {
      canAsk,
      agent: `agent ${name?.replaceAll(/[^\w .-]/g, '').slice(0, 40) || 'unknown'}`,
    };
  };
  for (const tool of toolsFor(allowWrites)) {
    const { name, description, annotations } = tool;
    const title = name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
    const inputSchema = fromJsonSchema<Fields>(tool.inputSchema, fieldsChecker);
    server.registerTool(
      name,
      { title, description, inputSchema, annotations },
      (fields, { mcpReq }) => agent.call(tool, fields, mcpReq, clientOf(mcpReq)),
    );
  }
  return server;
}
