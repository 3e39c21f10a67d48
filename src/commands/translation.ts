import type { Command, Noun } from './command.ts';
import { create, createOptions } from './verbs/write.ts';
import { translationView } from './views/translation.ts';

const submit: Command = {
  name: 'submit',
  summary: 'Submit a translation',
  endpoint: 'translationCreate',
  options: createOptions,
  examples: [
    {
      does: 'For a work request',
      line: 'mar translation submit --set workRequest=wr-2001 --set asset=a-1001 --set language=fra --set status=submitted',
    },
    { does: 'From a file', line: 'mar translation submit -f translation.yaml' },
  ],
  run: (context, input) => create(context, input, 'translationCreate', translationView),
};

export const translation: Noun = {
  commands: [submit],
  view: translationView,
  examples: [{ does: 'Submit a translation', line: 'mar translation submit -f translation.yaml' }],
};
