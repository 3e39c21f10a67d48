/* The JSON Schema of `mar help --json`, for the package. A test checks the help of every command with it. */

const text = { type: 'string' };
const yes = { const: true };
const texts = { type: 'array', items: text };

const object = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});

const list = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const brief = {
  words: { ...texts, description: 'the words after mar' },
  summary: text,
  effect: {
    enum: ['read', 'write', 'local'],
    description:
      'the most that it can do. write: changes something at the service; local: changes something on this machine, and at the service at most a token; read: neither',
  },
};
const briefOptional = {
  asks: {
    ...yes,
    description:
      'on a terminal, asks before it writes or deletes, or for what a login needs; never with --no-input',
  },
  waits: { ...yes, description: 'runs until something happens, or until it is stopped' },
  endpoint: { ...text, description: 'method and path below the base URL' },
};

export const helpSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Help of mar for programs',
  anyOf: [
    ref('Index'),
    ref('Command'),
    object({ flags: list(ref('Flag')) }),
    object({ exitCodes: list(ref('ExitCode')) }),
    object({ variables: list(object({ name: text, meaning: text })) }),
  ],
  $defs: {
    Index: object({ commands: list(object(brief, briefOptional)) }),
    Command: object(
      {
        ...brief,
        arguments: list(
          object(
            { name: text, summary: text, required: { type: 'boolean' } },
            { repeatable: yes, values: texts },
          ),
        ),
        flags: list(ref('Flag')),
        examples: list(object({ task: text, command: text })),
      },
      {
        ...briefOptional,
        aliases: { ...texts, description: 'other names of the first word' },
        details: text,
        prints: {
          ...object({ schema: text }, { isList: yes }),
          description: 'the records that it prints; mar schema NAME prints their schema',
        },
        commands: list(object(brief, briefOptional)),
      },
    ),
    Flag: object(
      { names: texts, type: { enum: ['boolean', 'string'] }, summary: text },
      {
        value: { ...text, description: 'the kind of value, such as duration or file' },
        isValueOptional: yes,
        values: { ...texts, description: 'the only allowed values' },
        default: text,
        repeatable: yes,
        excludes: { ...texts, description: 'flags that cannot be given together with this one' },
        needs: {
          ...text,
          description:
            'the flag without which this one is refused; if there are several, one of them is enough',
        },
      },
    ),
    ExitCode: object({ code: { type: 'integer' }, meaning: text }, { kind: text }),
  },
};
