// Runs the browser tests in two halves at the same time, each with a server and a database of its own: a test mostly waits, and
// leaves one of two cores idle. The output of the second half follows that of the first. Run by `make test-e2e`; a single file is
// run by `npm run e2e -- FILE` in frontend/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const HALVES = 2;

function start(half) {
  const args = ['playwright', 'test', `--shard=${half}/${HALVES}`, `--output=test-results/half-${half}`];
  const child = spawn('npx', args, { cwd: 'frontend', stdio: ['ignore', half === 1 ? 'inherit' : 'pipe', 'inherit'] });
  return { exit: once(child, 'exit'), output: child.stdout && text(child.stdout) };
}

rmSync('frontend/test-results', { recursive: true, force: true });
const halves = Array.from({ length: HALVES }, (_, n) => start(n + 1));
for (const { exit, output } of halves) {
  const [status] = await exit;
  if (output) process.stdout.write(await output);
  if (status !== 0) process.exitCode = 1;
}
