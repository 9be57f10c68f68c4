// A push service on this machine, for tests and the demo. It makes the subscriptions that a browser would make, checks who
// sends a message, decrypts it, and shows what came. It keeps everything in memory.
//
//   node scripts/stand-ins/push-stand-in.mjs     prints its URL once it listens; SIGINT or SIGTERM stops it
//
//   POST /control/subscriptions          {applicationServerKey?} → {id, endpoint, keys: {p256dh, auth}}. With a key, only its
//                                        owner may send.
//   POST /control/subscriptions/ID/end   the browser has unsubscribed: messages to it get 410
//   POST /control/failures               {status, retryAfter?}: what the next message gets
//   GET  /control/messages               everything that came, the oldest first
//   POST /push/ID                        a message (RFC 8030)
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { MAX_BODY_BYTES, Refusal, checkVapid, decrypt, newReceiver } from './web-push.mjs';

const URGENCIES = ['very-low', 'low', 'normal', 'high'];

/** Starts a push service on a free port of 127.0.0.1. */
export async function startPushService() {
  const state = { origin: '', subscriptions: new Map(), failures: [], messages: [] };
  const server = createServer((request, response) => void handle(state, request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.origin = `http://127.0.0.1:${server.address().port}`;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: state.origin, stop };
}

async function handle(state, request, response) {
  const answer = await answerTo(state, request).catch((error) => {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.message } };
    return { status: 500, body: { error: String(error) } };
  });
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body ?? {}));
}

async function answerTo(state, request) {
  const body = await buffer(request);
  const [area, name, id, action] = request.url.split('/').slice(1);
  const route = [request.method, area, ...(area === 'push' ? [] : [name, action])].filter(Boolean).join(' ');
  switch (route) {
    case 'POST push':
      return receive(state, name, request.headers, body);
    case 'POST control subscriptions':
      return { status: 201, body: subscribe(state, jsonBody(body)) };
    case 'POST control subscriptions end':
      return endSubscription(state, id);
    case 'POST control failures':
      return planFailure(state, jsonBody(body));
    case 'GET control messages':
      return { status: 200, body: state.messages };
    default:
      throw new Refusal(404, 'there is nothing here');
  }
}

function jsonBody(body) {
  try {
    return JSON.parse(body.toString() || '{}');
  } catch {
    throw new Refusal(400, 'the body is no JSON');
  }
}

function subscribe(state, { applicationServerKey }) {
  const id = String(state.subscriptions.size + 1);
  const receiver = newReceiver();
  state.subscriptions.set(id, { receiver, applicationServerKey, hasEnded: false });
  const keys = { p256dh: receiver.publicKey.toString('base64url'), auth: receiver.auth.toString('base64url') };
  return { id, endpoint: `${state.origin}/push/${id}`, keys };
}

function subscriptionOf(state, id) {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw new Refusal(404, 'there is no such subscription');
  return subscription;
}

function endSubscription(state, id) {
  subscriptionOf(state, id).hasEnded = true;
  return { status: 200 };
}

function planFailure(state, { status, retryAfter }) {
  if (!Number.isInteger(status) || status < 300 || status > 599) throw new Refusal(400, 'status must be from 300 to 599');
  state.failures.push({ status, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } });
  return { status: 200 };
}

/** Takes a message, and lists it once it is known what becomes of it. */
async function receive(state, id, headers, body) {
  const message = { subscription: id, topic: headers.topic, ttl: Number(headers.ttl), urgency: headers.urgency };
  try {
    const answer = state.failures.shift() ?? (await accept(state, message, headers, body));
    message.status = answer.status;
    return answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    Object.assign(message, { status: error.status, reason: error.message });
    throw error;
  } finally {
    state.messages.push(message);
  }
}

async function accept(state, message, headers, body) {
  const subscription = subscriptionOf(state, message.subscription);
  if (subscription.hasEnded) throw new Refusal(410, 'the subscription has ended');
  const { publicKey, claims } = await checkVapid(headers.authorization, state.origin);
  message.vapid = { sub: claims.sub, aud: claims.aud };
  const { applicationServerKey = publicKey } = subscription;
  if (publicKey !== applicationServerKey) throw new Refusal(403, 'the subscription belongs to another key');
  checkHeaders(headers);
  if (body.length > MAX_BODY_BYTES) throw new Refusal(413, `the body has more than ${MAX_BODY_BYTES} bytes`);
  message.payload = decrypt(body, subscription.receiver).toString();
  return { status: 201, headers: { Location: `${state.origin}/messages/${state.messages.length + 1}` } };
}

/** RFC 8030, sections 5.2 to 5.4, and RFC 8291, section 4. */
function checkHeaders({ ttl, topic, urgency = 'normal', 'content-encoding': encoding }) {
  if (!/^\d+$/.test(ttl)) throw new Refusal(400, 'TTL is no number of seconds');
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Refusal(400, 'Topic has other than 1 to 32 characters of base64url');
  if (!URGENCIES.includes(urgency)) throw new Refusal(400, `Urgency is none of ${URGENCIES.join(', ')}`);
  if (encoding !== 'aes128gcm') throw new Refusal(400, 'Content-Encoding is not aes128gcm');
}

async function main() {
  const service = await startPushService();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void service.stop());
  console.log(service.url);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
