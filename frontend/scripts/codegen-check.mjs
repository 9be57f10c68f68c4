// Fails when a generated file in src/shared/api is not what docs/openapi.json makes of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const frontend = dirname(dirname(fileURLToPath(import.meta.url)));
const api = join(frontend, 'src/shared/api');
const files = [
  'generated.ts',
  'generatedDrawings.ts',
  'generatedPurchase.ts',
  'generatedAdmin.ts',
  'generatedSms.ts',
];
// Beside the committed files, so that the generator writes the same imports but for one step up.
const folder = mkdtempSync(join(api, 'codegen-'));
let stale;
try {
  const run = spawnSync('npx', ['rtk-query-codegen-openapi', 'codegen.cjs'], {
    cwd: frontend,
    env: { ...process.env, CODEGEN_FOLDER: `./${relative(frontend, folder)}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (run.status !== 0) throw new Error('the generator failed');
  stale = files.filter((file) => {
    const made = readFileSync(join(folder, file), 'utf8').replace(/"\.\.\/(\w+Api)"/, '"./$1"');
    return made !== readFileSync(join(api, file), 'utf8');
  });
} finally {
  rmSync(folder, { recursive: true });
}
console.log(
  stale.length
    ? `codegen:check failed: ${stale.join(', ')} differs from docs/openapi.json; run \`npm run codegen\``
    : `codegen:check passed: ${files.length} files are up to date`,
);
process.exitCode = stale.length ? 1 : 0;
