// HAProxy before the servers, as docs/operations.md describes it, and before PostgreSQL, where it finds the primary.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const CHECKS = 'default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions';

const servers = (ports) => ports.map((port, n) => `  server server-${n} 127.0.0.1:${port}`).join('\n');

const settings = (socket, site, ports, database, nodes) => `
global
  stats socket ${socket} mode 600
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 15s
  timeout check 1s
  option redispatch

frontend site
  bind 127.0.0.1:${site}
  use_backend api if { path_beg /api/ } { nbsrv(api) gt 0 }
  default_backend pages

backend api
  option forwardfor
  option httpchk GET /readyz/writes
  http-check expect status 200
  ${CHECKS}
${servers(ports)}

backend pages
  option forwardfor
  option httpchk GET /readyz
  http-check expect status 200
  ${CHECKS}
${servers(ports)}

listen database
  mode tcp
  bind 127.0.0.1:${database}
  timeout client 1h
  timeout server 1h
  timeout check 3s
  option httpchk GET /primary
  http-check expect status 200
  ${CHECKS}
${nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} port ${api}`).join('\n')}
`;

export class Proxy {
  constructor(folder, { site, servers, database, nodes }) {
    this.socket = join(folder, 'haproxy.sock');
    this.file = join(folder, 'haproxy.cfg');
    writeFileSync(this.file, settings(this.socket, site, servers, database, nodes));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', this.file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`haproxy: ${stderr}`);
  }

  get command() {
    return ['haproxy', '-db', '-f', this.file];
  }

  /** How many servers of a backend pass their health checks. */
  async up(backend) {
    const socket = connect(this.socket);
    socket.end('show stat\n');
    const rows = (await text(socket).catch(() => '')).split('\n').map((row) => row.split(','));
    const [name, server, status] = ['# pxname', 'svname', 'status'].map((column) => rows[0].indexOf(column));
    return rows.filter((row) => row[name] === backend && row[server] !== 'BACKEND' && row[status]?.startsWith('UP')).length;
  }
}
