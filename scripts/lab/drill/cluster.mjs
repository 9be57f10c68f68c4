// A PostgreSQL server of its own for a check, with its socket in a folder. As root it runs as an unprivileged user.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with PostgreSQL's programs: PG_BIN, or the newest one of the system. */
export function postgresPrograms() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return process.env.PG_BIN ?? (newest && join('/usr/lib/postgresql', newest, 'bin'));
}

/** The arguments that run a command as PostgreSQL's user, if this process is root. */
export function asPostgres() {
  if (process.getuid() !== 0) return [];
  const user = ['postgres', 'nobody'].find((name) => spawnSync('id', ['-u', name]).status === 0);
  const id = (option) => execFileSync('id', [option, user], { encoding: 'utf8' }).trim();
  return ['setpriv', `--reuid=${id('-u')}`, `--regid=${id('-g')}`, '--clear-groups', '--'];
}

/** Makes a file or folder that of PostgreSQL's user, if this process is root. */
export function giveToPostgres(path) {
  const owner = asPostgres().find((part) => part.startsWith('--reuid='))?.split('=')[1];
  if (owner) execFileSync('chown', [owner, path]);
}

export class Cluster {
  /** `folder` is private to PostgreSQL's user; it holds the data, the socket and the log. */
  constructor(folder, programs = postgresPrograms()) {
    this.folder = folder;
    this.programs = programs;
    this.prefix = asPostgres();
    this.data = join(folder, 'data');
    giveToPostgres(folder);
  }

  /** Runs a command as PostgreSQL's user and returns its output. */
  run(command, { env = {}, ...options } = {}) {
    const [program, ...args] = [...this.prefix, ...command];
    const path = `${this.programs}:${process.env.PATH}`;
    return execFileSync(program, args, {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
      ...options,
      env: { ...process.env, PATH: path, PGHOST: this.folder, PGUSER: 'tombola', PGDATABASE: 'postgres', ...env },
    });
  }

  create({ password } = {}) {
    const file = join(this.folder, 'password');
    if (password) writeFileSync(file, `${password}\n`, { mode: 0o644 });
    const auth = password ? ['--auth=scram-sha-256', `--pwfile=${file}`] : ['--auth=trust'];
    this.run(['initdb', '-D', this.data, '-U', 'tombola', '-E', 'UTF8', '--no-locale', ...auth]);
  }

  /** Starts the server on `data`; `settings` are `name=value`. It listens on its socket only. */
  start(settings = [], data = this.data) {
    this.data = data;
    const all = ['listen_addresses=', `unix_socket_directories=${this.folder}`, 'port=5432', ...settings];
    const options = all.map((setting) => `-c '${setting}'`).join(' ');
    // pg_ctl leaves the server its output, so a pipe would never end.
    this.run(['pg_ctl', 'start', '-s', '-w', '-t', '300', '-D', data, '-l', join(this.folder, 'log'), '-o', options], { stdio: 'ignore' });
  }

  stop(mode = 'fast') {
    this.run(['pg_ctl', 'stop', '-s', '-w', '-m', mode, '-D', this.data], { stdio: 'ignore' });
  }

  /** The rows of a statement, as lines. */
  query(sql, env = {}) {
    return this.run(['psql', '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', sql], { env }).split('\n').filter(Boolean);
  }

  url(password) {
    const secret = password ? `:${password}` : '';
    return `postgresql://tombola${secret}@localhost/tombola?host=${this.folder}`;
  }
}
