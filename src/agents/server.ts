import { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  fromJsonSchema,
  McpServer,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { version } from '../version.ts';
import { Agent } from './agent.ts';
import type { Program } from './agentCall.ts';
import { messagesIn } from './messages.ts';
import tasks from './tasks.json' with { type: 'json' };
import tools from './tools.json' with { type: 'json' };
import { type Fields, toolsFor } from './tools.ts';

/** Serves one client, until it closes standard input. */
export async function serve(
  context: Context,
  program: Program,
  allowWrites: boolean,
): Promise<void> {
  const agent = new Agent(context, program);
  await new Promise<void>((ended) => {
    const { stdin, stdout } = context.world.streams;
    const messages = messagesIn(stdin, (response) => stdout.terminal.write(response));
    const transport = new StdioServerTransport(Readable.from(messages), stdout.terminal);
    const close = transport.close.bind(transport);
    transport.close = () => close().then(ended);
    const onerror = (error: Error) => {
      if (!context.world.signal.aborted) context.reporter.report(`warning: ${messageOf(error)}`);
    };
    const connection = serveStdio(() => serverFor(agent, allowWrites), { transport, onerror });
    context.world.signal.addEventListener('abort', () => connection.close(), { once: true });
  });
  // A write that was interrupted may still have to record its outcome.
  await agent.lastWrite;
}

/** Without the one version that requires batches, which the library does not read. */
const supportedProtocolVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== '2025-03-26');

function serverFor(agent: Agent, allowWrites: boolean): McpServer {
  const { instructions } = tasks;
  const server = new McpServer(
    { name: 'mar', version },
    { instructions, supportedProtocolVersions },
  );
  const canAsk = ({ mcpReq: { envelope = {} } }: ServerContext) => {
    const declared = (envelope as Record<string, ClientCapabilities>)[CLIENT_CAPABILITIES_META_KEY];
    const { elicitation } = declared ?? server.server.getClientCapabilities() ?? {};
    return Boolean(elicitation?.form ?? (elicitation && !elicitation.url));
  };
  const outputSchema = fromJsonSchema(tasks.outputSchema as object);
  for (const tool of toolsFor(allowWrites)) {
    const { name, description, annotations } = tool;
    const inputSchema = fromJsonSchema<Fields>(tool.inputSchema);
    const config = { description, inputSchema, outputSchema, annotations };
    server.registerTool(name, config, (fields, call) =>
      agent.call(tool, fields, call, canAsk(call)),
    );
  }
  for (const { name, description, mimeType, argv } of tools.resources) {
    const uri = `mar://${name}`;
    server.registerResource(name, uri, { description, mimeType }, async (_uri, { mcpReq }) => {
      const text = await agent.read(argv, mcpReq.signal);
      return { contents: [{ uri, mimeType, text }] };
    });
  }
  for (const { name, description, arguments: described, text } of tasks.prompts) {
    const properties = described as Record<string, object>;
    const required = Object.keys(properties);
    const argsSchema = fromJsonSchema<Fields>({ type: 'object', properties, required });
    server.registerPrompt(name, { description, argsSchema }, (values) => {
      const filled = text.replaceAll(/\{(\w+)\}/g, (_all, key) => `${values[key]}`);
      return { messages: [{ role: 'user', content: { type: 'text', text: filled } }] };
    });
  }
  return server;
}
