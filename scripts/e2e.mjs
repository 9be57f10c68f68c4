// Runs the browser tests in as many processes as there are processors, at most four, each with a server and a database of its own.
// A process takes the next part of the files when it is done with one. The arguments are Playwright's; run by `make test-e2e`. A
// single file is run by `npm run e2e -- FILE` in frontend/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const PROCESSES = Math.min(4, availableParallelism());
const PARTS = 3 * PROCESSES;

async function run(part) {
  const args = ['playwright', 'test', `--shard=${part}/${PARTS}`, `--output=test-results/part-${part}`, '--pass-with-no-tests', ...process.argv.slice(2)];
  const child = spawn('npx', args, { cwd: 'frontend', stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.pipe(process.stdout, { end: false });
  const [status] = await once(child, 'close');
  if (status !== 0) process.exitCode = 1;
}

rmSync('frontend/test-results', { recursive: true, force: true });
const parts = Array.from({ length: PARTS }, (_, index) => index + 1);
const takeParts = async () => {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) await run(part);
};
await Promise.all(Array.from({ length: PROCESSES }, takeParts));
