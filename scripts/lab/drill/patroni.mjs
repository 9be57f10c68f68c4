// Two PostgreSQL servers under Patroni, one the synchronous standby of the other, and etcd, which holds who is the primary.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePorts, stop, until } from '../../processes.mjs';
import { asPostgres, giveToPostgres, postgresPrograms } from './cluster.mjs';

/** The size of the file system of each server's data, if this process may mount one. */
const DISK = '512m';
/** Until Patroni's health check counts as failed; a busy machine answers late. */
const ANSWER_MS = 3000;
const NAMES = ['one', 'two'];

const SHARED = {
  // Short times, so that a fault of a few seconds is noticed. loop_wait and twice retry_timeout must fit into ttl.
  ttl: 8,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  // A crashed primary is replaced at once instead of being started again.
  primary_start_timeout: 0,
  postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on', max_wal_size: '128MB' } },
};

export class Databases {
  constructor(folder, processes) {
    this.folder = join(folder, 'postgres');
    this.processes = processes;
    this.prefix = asPostgres();
    this.password = randomBytes(12).toString('hex');
    this.nodes = [];
    mkdirSync(this.folder);
    giveToPostgres(this.folder);
    /** The folders of the data, which have file systems of their own if this process may mount them: root in a container may not. */
    this.disks = NAMES.map((name) => join(this.folder, name));
    for (const disk of this.disks) mkdirSync(disk);
    this.mounted = process.getuid() === 0 ? this.disks.filter((disk) => mount(disk)) : [];
    for (const disk of this.disks) giveToPostgres(disk);
  }

  get canFill() {
    return this.mounted.length === NAMES.length;
  }

  async start() {
    const [etcd, peers, ...ports] = await freePorts(6);
    this.#startEtcd(etcd, peers);
    this.nodes = NAMES.map((name, n) => this.#node(name, this.disks[n], etcd, ports[2 * n], ports[2 * n + 1]));
    for (const node of this.nodes) {
      this.startNode(node);
      await until(`PostgreSQL ${node.name} runs`, () => this.#answers(node, 'health'));
    }
    await until('the standby is synchronous', () => this.isComplete());
  }

  #startEtcd(clients, peers) {
    const data = join(this.folder, 'etcd');
    const [client, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
    const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
    // On other processors than x86-64, etcd 3.4 starts only when it is told to.
    const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
    this.processes.start('etcd', [...this.prefix, 'etcd', '--data-dir', data, ...addresses, '--initial-cluster', `default=${peer}`], { env });
  }

  #node(name, disk, etcd, port, api) {
    const node = { name, port, api, disk, data: join(disk, 'data'), settings: join(this.folder, `${name}.yml`) };
    // JSON is YAML, too.
    writeFileSync(node.settings, JSON.stringify(this.#settings(node, etcd)), { mode: 0o600 });
    giveToPostgres(node.settings);
    return node;
  }

  #settings({ name, port, api, data }, etcd) {
    const { password } = this;
    const [database, rest] = [`127.0.0.1:${port}`, `127.0.0.1:${api}`];
    return {
      scope: 'tombola',
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: `127.0.0.1:${etcd}` },
      bootstrap: { dcs: SHARED, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }] },
      postgresql: {
        listen: database,
        connect_address: database,
        data_dir: data,
        bin_dir: postgresPrograms(),
        pgpass: join(this.folder, `${name}.pgpass`),
        authentication: { superuser: { username: 'postgres', password }, replication: { username: 'replicator', password } },
        parameters: { unix_socket_directories: this.folder, unix_socket_permissions: '0700' },
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
      },
    };
  }

  /** Whether Patroni's health check of this kind passes: `primary`, `synchronous`, `health`. */
  async #answers(node, check) {
    const response = await fetch(`http://127.0.0.1:${node.api}/${check}`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
    return response?.ok === true;
  }

  async primary() {
    for (const node of this.nodes) if (await this.#answers(node, 'primary')) return node;
    return undefined;
  }

  async waitForPrimary() {
    let found;
    await until('there is a primary', async () => (found = await this.primary()));
    return found;
  }

  /** Whether there are a primary and a synchronous standby. */
  async isComplete() {
    const primary = await this.primary();
    const others = this.nodes.filter((node) => node !== primary);
    return primary !== undefined && (await this.#answers(others[0], 'synchronous'));
  }

  /** Kills PostgreSQL's first process, if it runs; the others end when they notice. */
  kill(node) {
    const pid = this.#postmaster(node);
    if (pid) process.kill(pid, 'SIGKILL');
  }

  /** The file may be left over, and its id be another process's by now; PostgreSQL's works in the folder of the data. */
  #postmaster({ data }) {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === data ? pid : undefined;
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Patroni starts PostgreSQL, as what it has to be now. */
  startNode(node) {
    node.patroni = this.processes.start(`patroni-${node.name}`, [...this.prefix, 'patroni', node.settings]);
  }

  killNode(node) {
    node.patroni.kill('SIGKILL');
    this.kill(node);
  }

  /** Takes all the room that is left on the disk of a node: dd ends when there is none. */
  fill(node) {
    spawnSync('dd', ['if=/dev/zero', `of=${join(node.disk, 'ballast')}`, 'bs=1M'], { stdio: 'ignore' });
  }

  empty(node) {
    rmSync(join(node.disk, 'ballast'));
  }

  /** The rows of a statement, as lines, from whoever is the primary, as the superuser. */
  async query(sql, database = 'postgres') {
    const { port } = await this.waitForPrimary();
    const env = { ...process.env, PGPASSWORD: this.password };
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', sql];
    return execFileSync('psql', args, { env, encoding: 'utf8', maxBuffer: 2 ** 28 }).split('\n').filter(Boolean);
  }

  /** Patroni stops its PostgreSQL: the standby first, so that it is not promoted for nothing. */
  async stop() {
    const primary = await this.primary();
    for (const node of this.nodes.toSorted((a, b) => (a === primary) - (b === primary))) {
      if (node.patroni) await stop(node.patroni);
      this.kill(node); // it still runs if Patroni took too long to end and was killed
    }
    for (const disk of this.mounted) spawnSync('umount', ['--lazy', disk]);
  }
}

function mount(folder) {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tombola-chaos', folder], { stdio: 'ignore' }).status === 0;
}
