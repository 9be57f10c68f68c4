// HAProxy before the servers, as docs/operations.md describes it; before PostgreSQL, where it finds the primary; and before the
// providers, which it can cut off. Stand-ins keep their records in memory, so one that were stopped would forget which texts it
// took, as no provider does.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const CHECKS = 'default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions';

/** The servers whose answer to this check is 200. */
const backend = (name, check, ports) => `
backend ${name}
  option forwardfor
  option httpchk GET ${check}
  http-check expect status 200
  ${CHECKS}
${ports.map((port, n) => `  server server-${n} 127.0.0.1:${port}`).join('\n')}
`;

/** Connections that nobody uses stay for an hour. */
const connections = (name, port, ...lines) => `
listen ${name}
  mode tcp
  bind 127.0.0.1:${port}
  timeout client 1h
  timeout server 1h
${lines.map((line) => `  ${line}`).join('\n')}
`;

const settings = (socket, { site, servers: ports, database, nodes, providers }) => `
global
  stats socket ${socket} mode 600 level admin
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
${backend('api', '/readyz/writes', ports)}
${backend('pages', '/readyz', ports)}
${connections(
  'database',
  database,
  'timeout check 3s',
  'option httpchk GET /primary',
  'http-check expect status 200',
  CHECKS,
  ...nodes.map(({ name, port, api }) => `server ${name} 127.0.0.1:${port} port ${api}`),
)}
${Object.entries(providers).map(([name, [port, url]]) => connections(name, port, `server provider ${new URL(url).host}`)).join('')}
`;

export class Proxy {
  /** `providers` has a port and a URL for each name. */
  constructor(folder, parts) {
    this.socket = join(folder, 'haproxy.sock');
    const file = join(folder, 'haproxy.cfg');
    this.command = ['haproxy', '-db', '-f', file];
    writeFileSync(file, settings(this.socket, parts));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`haproxy: ${stderr}`);
  }

  async #tell(command) {
    const socket = connect(this.socket);
    socket.end(`${command}\n`);
    return text(socket);
  }

  /** Cuts all calls to these providers, also those that are being answered, and takes no new ones. */
  async cut(...providers) {
    for (const name of providers) await this.#tell(`set server ${name}/provider state maint; shutdown sessions server ${name}/provider`);
  }

  async join(...providers) {
    for (const name of providers) await this.#tell(`set server ${name}/provider state ready`);
  }

  /** How many servers of a backend pass their health checks. */
  async up(backend) {
    const rows = (await this.#tell('show stat').catch(() => '')).split('\n').map((row) => row.split(','));
    const [name, server, status] = ['# pxname', 'svname', 'status'].map((column) => rows[0].indexOf(column));
    return rows.filter((row) => row[name] === backend && row[server] !== 'BACKEND' && row[status]?.startsWith('UP')).length;
  }
}
