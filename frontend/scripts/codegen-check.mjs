// Fails when src/shared/api/generated.ts is not what docs/openapi.json makes of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const frontend = dirname(dirname(fileURLToPath(import.meta.url)));
const committed = join(frontend, 'src/shared/api/generated.ts');
// In the same folder, so that the generator writes the same relative imports.
const folder = mkdtempSync(join(dirname(committed), 'codegen-'));
const fresh = join(folder, 'generated.ts');
let same;
try {
  const run = spawnSync('npx', ['rtk-query-codegen-openapi', 'codegen.cjs'], {
    cwd: frontend,
    env: { ...process.env, CODEGEN_OUTPUT: `./${relative(frontend, fresh)}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (run.status !== 0) throw new Error('the generator failed');
  const made = readFileSync(fresh, 'utf8').replace('"../baseApi"', '"./baseApi"');
  same = made === readFileSync(committed, 'utf8');
} finally {
  rmSync(folder, { recursive: true });
}
console.log(
  same
    ? 'codegen:check passed: 1 file is up to date'
    : 'codegen:check failed: src/shared/api/generated.ts differs from docs/openapi.json; run `npm run codegen`',
);
process.exitCode = same ? 0 : 1;
