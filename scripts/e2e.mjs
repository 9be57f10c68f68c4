// Runs the browser tests in as many processes as there are processors, at most four, each with a server and a database of its
// own. The output of each follows that of the one before. The arguments are Playwright's; run by `make test-e2e`. A single file is
// run by `npm run e2e -- FILE` in frontend/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';

const PROCESSES = Math.min(4, availableParallelism());

function start(part) {
  const args = ['playwright', 'test', `--shard=${part}/${PROCESSES}`, `--output=test-results/part-${part}`, ...process.argv.slice(2)];
  const child = spawn('npx', args, { cwd: 'frontend', stdio: ['ignore', part === 1 ? 'inherit' : 'pipe', 'inherit'] });
  return { exit: once(child, 'exit'), output: child.stdout && text(child.stdout) };
}

rmSync('frontend/test-results', { recursive: true, force: true });
const parts = Array.from({ length: PROCESSES }, (_, n) => start(n + 1));
for (const { exit, output } of parts) {
  const [status] = await exit;
  if (output) process.stdout.write(await output);
  if (status !== 0) process.exitCode = 1;
}
