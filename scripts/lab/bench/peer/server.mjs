// A server to compare with: the page-view endpoint in Express with node-postgres, on the same schema. It is written as such
// servers usually are: validation, a pool, one prepared INSERT per request, an answer after commit, one process per core.
import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import express from 'express';
import pg from 'pg';

const PROCESSES = Number(process.env.PEER_PROCESSES ?? availableParallelism());
const CONNECTIONS = Number(process.env.PEER_CONNECTIONS ?? 10);       // per process; 10 is the default of node-postgres

const PAGES = new Set(['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living', 'generic', 'welcome']);
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CODE = /^[0-9A-Z]{8}$/;

const INSERT = {
  name: 'view',
  text: `INSERT INTO page_views (view_key, session_key, session_id, page, referral_code, ip_address, user_agent, fingerprint, device, browser, entry_source)
         VALUES ($1, $2::uuid, $2::uuid::text, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (view_key) DO NOTHING`,
};

const deviceOf = (agent) => (/Mobile|Android|iPhone/.test(agent) ? 'mobile' : 'desktop');
const browserOf = (agent) => /(Edg|Firefox|Chrome|Safari)/.exec(agent)?.[1] ?? 'other';

/** One key per session, page and code; it starts with the session's time, so that new keys are neighbors in the index. */
function viewKey(session, page, code) {
  const hash = createHash('sha256').update(`${session} ${page} ${code}`).digest('hex');
  return `${session.slice(0, 13)}-${hash.slice(0, 4)}-${hash.slice(4, 8)}-${hash.slice(8, 20)}`;
}

function serve() {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS });
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '16kb' }));
  app.get('/readyz', async (request, response) => {
    await pool.query('SELECT 1');
    response.json({ status: 'ready' });
  });
  app.post('/api/analytics/page-view', async (request, response) => {
    const { page, sessionId, referralCode = null, fingerprint = null } = request.body ?? {};
    if (typeof page !== 'string' || !SESSION.test(sessionId) || (referralCode !== null && !CODE.test(referralCode))) {
      return response.status(400).json({ error: 'Please check what was sent.' });
    }
    const agent = request.get('user-agent') ?? '';
    const known = PAGES.has(page) ? page : 'other';
    const source = referralCode === null ? 'direct' : 'referral';
    const values = [viewKey(sessionId, known, referralCode), sessionId, known, referralCode, request.ip, agent, fingerprint, deviceOf(agent), browserOf(agent), source];
    await pool.query({ ...INSERT, values });
    return response.json({ success: true });
  });
  app.listen(Number(process.env.PORT), '127.0.0.1');
}

if (cluster.isPrimary && PROCESSES > 1) {
  const workers = Array.from({ length: PROCESSES }, () => cluster.fork());
  process.on('SIGTERM', () => {
    for (const worker of workers) worker.process.kill();
    process.exit();
  });
} else {
  serve();
}
