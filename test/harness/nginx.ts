import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Certificate } from './certificates.ts';
import { freePort, linesOf, startDaemon } from './daemon.ts';
import { temporaryFolder } from './mar.ts';

interface NginxOptions {
  /** The base URL of the service behind it. Without one, nginx sends its own response. */
  service?: string;
  /** Makes it speak TLS. */
  certificate?: Certificate;
  address?: '127.0.0.1' | '[::1]';
}

/** A real nginx in front of a service, with its own port and folder. */
export async function startNginx(options: NginxOptions) {
  const { service, certificate, address = '127.0.0.1' } = options;
  const folder = temporaryFolder();
  const port = await freePort();
  const log = path.join(folder, 'access.log');
  const { origin, host } = new URL(service ?? 'http://unused');
  const tls = certificate
    ? `ssl_certificate ${certificate.file}; ssl_certificate_key ${certificate.key};`
    : '';
  // The sandbox accepts only its own host name.
  const response = service
    ? `proxy_pass ${origin}; proxy_set_header Host ${host};`
    : `default_type application/json; return 200 '{"_id":"a-1001"}';`;
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log stderr notice;
events {}
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  log_format line '$request_method $request_uri $status $http_proxy_authorization';
  access_log access.log line;
  server {
    listen ${address}:${port}${certificate ? ' ssl' : ''};
    ${tls}
    location / { ${response} }
  }
}
`,
  );
  const argv = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  // nginx listens before it starts its workers.
  await startDaemon('/usr/sbin/nginx', argv, 'start worker process ', 'SIGTERM');
  /** One line per request, with its Proxy-Authorization: `GET /api/session 200 -`. */
  const requests = () => linesOf(log);
  return { port, requests };
}
