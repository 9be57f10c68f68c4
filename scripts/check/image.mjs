// Builds the image of Dockerfile and runs it: settings by `tombola init`, the environment of deploy/compose.yaml, PostgreSQL and
// Redis by Unix sockets as there, health checks, a page, a sign-up, a stop.
//
//   node scripts/check/image.mjs PROGRAM          PROGRAM is the released program, such as target/dist/tombola
//
// It needs neither a daemon nor a registry of images: buildah builds in a chroot. The stages that compile are replaced by
// PROGRAM, and the base by one of the same Debian packages (glibc, libgcc, certificates, time zones; no shell). `docker build`
// runs the stages that are left out here.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, postgresPrograms } from '../lab/drill/cluster.mjs';
import { freePorts, until } from '../processes.mjs';

const PROGRAM = process.argv[2] ?? 'target/dist/tombola';
const IMAGE = 'localhost/tombola:check';
const BASE_PACKAGES = ['base-files', 'libc6', 'libgcc-s1', 'tzdata', 'ca-certificates', 'netbase'];
const PYTHON = ['target/python/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', 'import yaml']).status === 0);

const say = (line) => console.log(`check-image: ${line}`);
const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

function whySkipped() {
  for (const tool of ['buildah', 'apt-get', 'dpkg-deb', 'redis-server', 'docker-compose']) if (!has(tool)) return `${tool} is not installed`;
  if (!PYTHON) return 'Python has no yaml (scripts/setup.sh deploy installs it)';
  if (!postgresPrograms()) return 'PostgreSQL is not installed';
  return undefined;
}

const folder = mkdtempSync(join(tmpdir(), 'tombola-image-'));
const at = (...parts) => join(folder, ...parts);
const STORAGE = ['--root', at('store'), '--runroot', at('run'), '--storage-driver', 'vfs'];
const buildah = (args, options = {}) =>
  execFileSync('buildah', [...STORAGE, ...args], { encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], ...options }).trim();

/** The root of a base like distroless/cc: what a program with glibc needs, and a user without rights. */
function makeBase() {
  mkdirSync(at('debs'));
  execFileSync('apt-get', ['download', '-qq', ...BASE_PACKAGES], { cwd: at('debs'), stdio: ['ignore', 'ignore', 'ignore'] });
  for (const file of readdirSync(at('debs'))) execFileSync('dpkg-deb', ['-x', at('debs', file), at('root')]);
  for (const left of ['doc', 'man', 'lintian', 'bug']) rmSync(at('root/usr/share', left), { recursive: true, force: true });
  rmSync(at('root/usr/sbin'), { recursive: true, force: true });
  mkdirSync(at('root/etc/ssl/certs'), { recursive: true });
  const certificates = execFileSync('find', [at('root/usr/share/ca-certificates'), '-name', '*.crt'], { encoding: 'utf8' }).trim().split('\n');
  writeFileSync(at('root/etc/ssl/certs/ca-certificates.crt'), certificates.map((path) => readFileSync(path, 'utf8')).join('\n'));
  writeFileSync(at('root/etc/passwd'), 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n');
  writeFileSync(at('root/etc/group'), 'root:x:0:\nnonroot:x:65532:\n');
  const container = buildah(['from', 'scratch']);
  buildah(['copy', '-q', container, at('root'), '/']);
  buildah(['commit', '-q', container, 'localhost/base']);
  buildah(['rm', container]);
}

function buildImage() {
  mkdirSync(at('stage/out'), { recursive: true });
  cpSync(PROGRAM, at('stage/out/tombola'));
  const final = /^FROM (\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'))[1]; // the only stage without a name
  const contexts = ['--build-context', `build=${at('stage')}`, '--build-context', `${final}=container-image://localhost/base`];
  buildah(['build', '--isolation', 'chroot', '--format', 'docker', '--pull=never', '--build-arg', 'TARGETARCH=amd64', ...contexts, '-t', IMAGE, '.']);
}

function describeImage() {
  const { OCIv1: image, Docker: docker } = JSON.parse(buildah(['inspect', '--type', 'image', IMAGE]));
  const size = buildah(['images', '--format', '{{.Size}}', IMAGE]);
  const program = (Number(execFileSync('stat', ['-c', '%s', PROGRAM], { encoding: 'utf8' })) / 1e6).toFixed(1);
  say(`the image has ${size}, of which the program is ${program} MB; user ${image.config.User}, command ${[...image.config.Entrypoint, ...image.config.Cmd].join(' ')}`);
  if (image.config.User !== '65532:65532') throw new Error('the image does not run as a user without rights');
  if (!docker.config.Healthcheck) throw new Error('the image has no health check');
}

/** Runs a command in a container of the image, as the image's user. */
const inImage = (container, args, { volumes = [], env = {}, user } = {}) => [
  ...STORAGE, 'run', '--isolation', 'chroot', ...(user ? ['--user', user] : []),
  ...volumes.flatMap(([from, to]) => ['-v', `${from}:${to}`]),
  ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  container, '--', ...args,
];

function checkNoShell(container) {
  for (const shell of ['/bin/sh', '/bin/bash', '/busybox/sh']) {
    if (spawnSync('buildah', inImage(container, [shell, '-c', 'true'])).status === 0) throw new Error(`the image has ${shell}`);
  }
  say('the image has no shell');
}

/** The environments that Docker Compose would give its services, with settings that `tombola init` in the image wrote. */
function composeEnvironments(container) {
  mkdirSync(at('deploy'));
  chmodSync(at('deploy'), 0o777);
  cpSync('deploy/compose.yaml', at('deploy/compose.yaml'));
  const compose = ['-f', at('deploy/compose.yaml'), 'config'];
  if (spawnSync('docker-compose', compose).status === 0) throw new Error('deploy/compose.yaml starts without .env');
  const args = ['/usr/local/bin/tombola', 'init', '--for', 'compose', '--output', '/out/.env'];
  const answers = 'raffle.example.org\nhello@example.org\nExample Gardens, Inc.\n12 Elm Street, Springfield, IL 62701\nadmin\ncorrect horse battery\n';
  execFileSync('buildah', inImage(container, args, { volumes: [[at('deploy'), '/out']] }), { input: answers, stdio: ['pipe', 'ignore', 'inherit'] });
  const text = execFileSync('docker-compose', compose, { stdio: ['ignore', 'pipe', 'ignore'] });
  const read = 'import json, sys, yaml; print(json.dumps({n: s.get("environment", {}) for n, s in yaml.safe_load(sys.stdin)["services"].items()}))';
  const resolved = JSON.parse(execFileSync(PYTHON, ['-c', read], { input: text, encoding: 'utf8' }));
  const plain = (environment) => Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value).replaceAll('$$', '$')]));
  return Object.fromEntries(Object.entries(resolved).map(([service, environment]) => [service, plain(environment)]));
}

/** The process of the server below that of buildah. */
function serverBelow(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const line of stdout.trim().split('\n').filter(Boolean)) {
    const [child, name] = line.trim().split(/\s+/);
    if (name === 'tombola') return Number(child);
    const below = serverBelow(child);
    if (below) return below;
  }
  return undefined;
}

async function expect(what, response, status, pattern) {
  const body = await response.text();
  if (response.status !== status || !pattern.test(body)) throw new Error(`${what}: ${response.status} ${body.slice(0, 300)}`);
  say(`${what}: ${response.status}${body.length < 200 ? ` ${body}` : `, ${body.length} characters`}`);
}

async function check(cleanUp) {
  makeBase();
  buildImage();
  describeImage();
  const container = buildah(['from', '--pull-never', IMAGE]);
  checkNoShell(container);
  const { server: environment, migrate, postgres, 'server-role': serverRole } = composeEnvironments(container);
  if (environment.POSTGRES_PASSWORD) throw new Error('the server has the password of the owner of the tables');
  say(`docker-compose gives the server ${Object.keys(environment).length} settings`);

  for (const name of ['postgres', 'redis']) mkdirSync(at(name), { mode: 0o755 });
  const cluster = new Cluster(at('postgres'));
  const password = postgres.POSTGRES_PASSWORD;
  cluster.create({ password });
  cluster.start();
  cleanUp.push(() => cluster.stop('immediate'));
  cluster.query('CREATE DATABASE tombola', { PGPASSWORD: password });
  cluster.query(`CREATE ROLE tombola_server LOGIN PASSWORD '${serverRole.SERVER_DATABASE_PASSWORD}'`, { PGPASSWORD: password });
  const redis = spawn('redis-server', ['--port', '0', '--unixsocket', at('redis/redis.sock'), '--unixsocketperm', '777', '--save', '', '--dir', at('redis')], { stdio: 'ignore' });
  cleanUp.push(() => redis.kill());

  const [port, metrics] = await freePorts(2);
  const env = { ...environment, BIND_ADDR: `127.0.0.1:${port}`, METRICS_ADDR: `127.0.0.1:${metrics}`, DRAIN_SECONDS: '0', PHONE_VERIFICATION: 'off' };
  const volumes = [[at('postgres'), '/run/postgresql'], [at('redis'), '/run/redis']];
  execFileSync('buildah', inImage(container, ['/usr/local/bin/tombola', 'migrate'], { volumes, env: migrate }));
  say('tombola migrate: as the owner of the tables');
  const started = performance.now();
  const server = spawn('buildah', inImage(container, ['/usr/local/bin/tombola', 'serve'], { volumes, env }), { stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  server.stdout.on('data', (text) => (log += text));
  cleanUp.push(() => server.kill());
  const origin = `http://127.0.0.1:${port}`;
  await until('the server answers', () => {
    if (server.exitCode !== null) throw new Error(`the server ended: ${log}`);
    return fetch(`${origin}/readyz/writes`).then((response) => response.ok, () => false);
  });
  say(`ready ${Math.round(performance.now() - started)} ms after the start, with ${/"applied":(\d+)/.exec(log)?.[1] ?? '?'} migrations`);

  const health = execFileSync('buildah', inImage(container, ['/usr/local/bin/tombola', 'health'], { env: { BIND_ADDR: env.BIND_ADDR } }), { encoding: 'utf8' });
  say(`tombola health: ${health.trim()}`);
  const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${serverBelow(server.pid)}/status`, 'utf8'))[1];
  if (uid !== '65532') throw new Error(`the server runs as ${uid}`);
  await expect('GET /readyz', await fetch(`${origin}/readyz`), 200, /"ready"/);
  await expect('GET /garden-bag', await fetch(`${origin}/garden-bag`), 200, /<form/);
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.7' };
  const body = JSON.stringify({ phoneNumber: '(646) 555-0123', landingPage: 'garden-bag', smsConsent: true });
  await expect('POST /api/users/register', await fetch(`${origin}/api/users/register`, { method: 'POST', headers, body }), 201, /referralCode/);
  await until('Redis counts', () => execFileSync('redis-cli', ['-s', at('redis/redis.sock'), 'dbsize'], { encoding: 'utf8' }).trim() !== '0');
  say('Redis counts the rate limits');

  process.kill(serverBelow(server.pid), 'SIGTERM');
  const [code] = await once(server, 'exit');
  if (code !== 0) throw new Error(`the server ended with ${code} after SIGTERM`);
  say('SIGTERM: it stopped with 0');
}

async function main() {
  const reason = whySkipped();
  if (reason) return say(`skipped: ${reason}`);
  const cleanUp = [() => { chmodSync(folder, 0o755); rmSync(folder, { recursive: true, force: true }); }];
  try {
    chmodSync(folder, 0o755);
    await check(cleanUp);
    say('passed; not run here: the stages that compile (no registry of images can be assumed), and arm64');
  } finally {
    for (const step of cleanUp.reverse()) await Promise.resolve().then(step).catch(() => undefined);
  }
}

await main();
