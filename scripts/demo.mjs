// The whole product without any account: the server with demo data, and stand-ins for Stripe, Twilio, drand and a push service.
// `make demo` runs this with DATABASE_URL and BIND_ADDR set. Ctrl-C stops everything.
//
//   scripts/demo.mjs FOLDER     FOLDER contains the programs, such as target/debug
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop as stopProgram, until, urlOf } from './processes.mjs';
import { newVapidKeys } from './stand-ins/web-push.mjs';

const [programs = 'target/debug'] = process.argv.slice(2);
const bind = process.env.BIND_ADDR || '127.0.0.1:8080';
const serverUrl = `http://${bind.replace(/^0\.0\.0\.0|^\[::\]/, '127.0.0.1')}`;
const READY_SECONDS = 60;

/** The beacon is a file here: how to verify the rounds of its stand-in. */
const folder = mkdtempSync(join(tmpdir(), 'tombola-demo-'));
const chain = join(folder, 'chain.json');

/** The processes that were started, oldest first. */
const children = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));

try {
  await requireFreeAddress();
  const origin = process.env.PUBLIC_ORIGIN || serverUrl;
  const keys = { STRIPE_SECRET_KEY: 'sk_test_demo', STRIPE_PUBLISHABLE_KEY: 'pk_test_demo', STRIPE_WEBHOOK_SECRET: 'whsec_demo' };
  const stripe = await startStandIn('stripe-stand-in', ['--webhook-url', `${serverUrl}/api/stripe/webhook`, '--webhook-secret', keys.STRIPE_WEBHOOK_SECRET]);
  const credentials = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+15005550006' };
  const account = ['--account-sid', credentials.TWILIO_ACCOUNT_SID, '--auth-token', credentials.TWILIO_AUTH_TOKEN];
  const twilio = await startStandIn('twilio-stand-in', ['--inbound-url', `${origin}/api/twilio/inbound`, ...account]);
  await startStandIn('drand-stand-in', ['--chain-file', chain]);
  // Browsers use the push services of their makers. This one is for subscriptions that are made by hand.
  const push = await startStandIn('stand-ins/push-stand-in.mjs', []);
  const vapid = newVapidKeys();
  const environment = {
    DEMO: 'on',
    DRAIN_SECONDS: '0',
    BIND_ADDR: bind,
    PUBLIC_ORIGIN: origin,
    ...keys,
    STRIPE_API_BASE: stripe,
    ...credentials,
    TWILIO_API_BASE: twilio,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:hello@tombola.example',
    DRAWING_BEACON: chain,
    DRAWING_DELAY: '6',
    PHONE_VERIFICATION: 'on',
    CONTACT_EMAIL: 'hello@tombola.example',
    SPONSOR_NAME: 'Example Gardens, Inc.',
    SPONSOR_ADDRESS: '12 Elm Street, Springfield, IL 62701',
    ADS_PIXEL_ID: '',
  };
  addDemoData(environment);
  start('tombola', ['serve'], { env: environment, stdio: 'inherit' });
  await until('the server is ready', () => fetch(`${serverUrl}/readyz`).then(({ ok }) => ok, () => false), { seconds: READY_SECONDS });
  say(`Pay with the card 4242 4242 4242 4242; no real one is charged. Codes and all other texts arrive at ${twilio}/inbox`);
  say(`A push service for subscriptions that are made by hand listens at ${push} (CONTRIBUTING.md)`);
  say(`${serverUrl}/ is ready. Ctrl-C stops everything.`);
} catch (error) {
  if (!isStopping) say(error.message);
  await stop(1);
}

/** Two servers cannot listen on one address. Without this check the second one would fail only after the demo data is made. */
async function requireFreeAddress() {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(bind) ?? [];
  const probe = createServer().listen(Number(port), host);
  await once(probe, 'listening').catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`something listens on ${bind} already, another demo perhaps. Stop it, or choose another address: BIND_ADDR=127.0.0.1:8081 make demo`);
  });
  probe.close();
  await once(probe, 'close');
}

/** Starts a stand-in. Returns its URL. */
function startStandIn(name, args) {
  return urlOf(start(name, args, { stdio: ['ignore', 'pipe', 'ignore'] }));
}

function addDemoData(environment) {
  const { status, error } = spawnSync(join(programs, 'tombola'), ['demo'], { env: { ...process.env, ...environment }, stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`tombola demo exited with ${status}`);
}

/** Starts a program of the folder, or a script beside this one. */
function start(name, args, { env = {}, stdio }) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const [program, all] = name.endsWith('.mjs') ? [process.execPath, [script, ...args]] : [join(programs, name), args];
  const child = spawn(program, all, { env: { ...process.env, ...env }, stdio });
  children.push(child);
  child.on('error', (error) => {
    say(error.message);
    void stop(1);
  });
  child.on('exit', (code, signal) => {
    if (isStopping) return;
    say(`${name} exited (${code ?? signal})`);
    void stop(1);
  });
  return child;
}

/** Stops all processes, newest first: the server finishes its calls while the stand-ins still answer. */
async function stop(status) {
  if (isStopping) return;
  isStopping = true;
  for (const child of children.toReversed()) await stopProgram(child);
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}

function say(text) {
  console.log(`demo: ${text}`);
}
