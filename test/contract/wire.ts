import type { EndpointId } from '../../src/core/api/endpoints.ts';

/** How an endpoint's command is called, and what must then be on the wire. */
export interface Exchange {
  argv: readonly string[];
  stdin?: string;
  /** Method and path, then headers and body beyond those that every request has. */
  line: string;
  /** Methods and paths of what is read before that. */
  reads?: readonly string[];
  /** The response to these reads. */
  listed?: string;
  headers?: readonly string[];
  body?: string;
  answer: string;
}

const json = 'Content-Type: application/json';

/** The exact request of every endpoint: an endpoint without one does not compile. */
export const wire: Record<EndpointId, Exchange> = {
  sessionCreate: {
    argv: ['login', '--email', 'ines@northlight.example', '--password-stdin', '--insecure-storage'],
    stdin: 'open sesame: ü\n',
    line: 'GET /api/session',
    answer: '{"token":"t0ken","email":"ines@northlight.example"}',
  },
  sessionDelete: { argv: ['logout'], line: 'DELETE /api/session', answer: '{}' },
  userList: {
    argv: ['user', 'list', '--range', '10-19'],
    line: 'GET /api/session',
    headers: ['X-Range: resources=10-19'],
    answer: '[]',
  },
  userPut: {
    argv: ['user', 'put', 'u/ines ü', '-f', '-'],
    stdin: '{"name": "Inès", "big": 9007199254740993}',
    reads: ['GET /api/session'],
    listed: '[{"_id":"u/ines ü"}]',
    line: 'PUT /api/session/u%2Fines%20%C3%BC',
    headers: [json],
    body: '{"name":"Inès","big":9007199254740993,"_id":"u/ines ü"}',
    answer: '{"_id":"u/ines ü","name":"Inès","big":9007199254740993}',
  },
  assetGet: { argv: ['asset', 'get', 'a-1001'], line: 'GET /api/assets/a-1001', answer: '{}' },
  assetPut: {
    argv: ['asset', 'put', '-f', '-', '--set', 'usage.online=true'],
    stdin: '_id: a-1001\nname: "1"\n',
    reads: ['GET /api/assets/a-1001'],
    line: 'PUT /api/assets',
    headers: [json],
    body: '{"_id":"a-1001","name":"1","usage":{"online":true}}',
    listed: '{"_id":"a-1001"}',
    answer: '{"_id":"a-1001","name":"1","usage":{"online":true}}',
  },
  assetWorkflowNotify: {
    argv: ['asset', 'workflow-notify'],
    line: 'GET /api/assets/workflowNotify',
    headers: ['X-Range: resources=0-9'],
    answer: '[]',
  },
  workRequestGet: {
    argv: ['wr', 'get', 'wr-2001'],
    line: 'GET /api/workrequests/wr-2001',
    answer: '{}',
  },
  workRequestCreate: {
    argv: [
      'wr',
      'create',
      '--asset',
      'a-1001',
      '--set',
      'due.date=1',
      '--set-string',
      'language=1',
      '--skip-checks',
    ],
    line: 'POST /api/workrequests',
    headers: [json],
    body: '{"asset":{"_id":"a-1001"},"due":{"date":1},"language":"1"}',
    answer: '{"_id":"wr-1"}',
  },
  translationCreate: {
    argv: ['translation', 'submit', '--set', 'language=fra', '--set', 'status=submitted'],
    line: 'POST /api/translations',
    headers: [json],
    body: '{"language":"fra","status":"submitted"}',
    answer: '{"_id":"t-1"}',
  },
  offlinePut: {
    argv: ['offline', 'put', 'o-1', '-f', '-'],
    stdin: '{"workRequest":"wr-2001"}',
    line: 'PUT /api/offlines/o-1',
    headers: [json],
    body: '{"workRequest":"wr-2001"}',
    answer: '{"_id":"o-1"}',
  },
  previewPut: {
    argv: ['preview', 'put', '-f', '-'],
    stdin: '{"_id":"p-1","label":"Rough cut"}',
    line: 'PUT /api/previews',
    headers: [json],
    body: '{"_id":"p-1","label":"Rough cut"}',
    answer: '{"_id":"p-1"}',
  },
  fileCreate: {
    argv: ['file', 'upload-meta', '--set', 'name=a.mov', '--set', 'tags=["x"]'],
    line: 'POST /api/files',
    headers: [json],
    body: '{"name":"a.mov","tags":["x"]}',
    answer: '{"_id":"f-1"}',
  },
  fileList: {
    argv: ['file', 'list', '--range', '0-99'],
    line: 'GET /api/files/_slug',
    headers: ['X-Range: resources=0-99'],
    answer: '[]',
  },
  downloadList: {
    argv: ['downloads', 'list', '--q', 'a b&c', '--projects', 'p-1,p-2', '--order', '-created'],
    line: 'GET /api/downloads?q=a+b%26c&projects=p-1%2Cp-2&order=-created',
    headers: ['X-Range: resources=0-9'],
    answer: '[]',
  },
  notificationGet: {
    argv: ['notification', 'show', 'n-3001'],
    line: 'GET /api/notifications/n-3001',
    answer: '{}',
  },
  eventPut: {
    argv: ['event', 'put', '-f', '-', '--set', 'processed=true'],
    stdin: '{"_id":"e-1","type":"fd"}',
    line: 'PUT /api/events',
    headers: [json],
    body: '{"_id":"e-1","type":"fd","processed":true}',
    answer: '{"_id":"e-1"}',
  },
};
