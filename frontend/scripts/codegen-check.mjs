// Fails when a generated file in the clients' api folders is not what docs/openapi.json makes of it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const frontend = dirname(dirname(fileURLToPath(import.meta.url)));
const files = {
  'src/site/api': [
    'generated.ts',
    'generatedClaims.ts',
    'generatedData.ts',
    'generatedDrawings.ts',
    'generatedPurchase.ts',
    'generatedPush.ts',
    'generatedRules.ts',
  ],
  'src/console/api': [
    'generatedAdmin.ts',
    'generatedMe.ts',
    'generatedPeople.ts',
    'generatedSms.ts',
    'generatedStaff.ts',
  ],
};
const folders = Object.keys(files).map((api) => join(frontend, api));
// Beside the committed files, so that the generator writes the same imports but for one step up.
const subfolder = `codegen-${process.pid}`;
let stale;
try {
  for (const folder of folders) mkdirSync(join(folder, subfolder));
  const run = spawnSync('npx', ['rtk-query-codegen-openapi', 'codegen.cjs'], {
    cwd: frontend,
    env: { ...process.env, CODEGEN_SUBFOLDER: subfolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (run.status !== 0) throw new Error('the generator failed');
  stale = Object.entries(files).flatMap(([api, names]) =>
    names.filter((name) => !isUpToDate(join(frontend, api), name)).map((name) => `${api}/${name}`),
  );
} finally {
  for (const folder of folders) rmSync(join(folder, subfolder), { recursive: true, force: true });
}
const count = Object.values(files).flat().length;
console.log(
  stale.length
    ? `codegen:check failed: ${stale.join(', ')} differs from docs/openapi.json; run \`npm run codegen\``
    : `codegen:check passed: ${count} files are up to date`,
);
process.exitCode = stale.length ? 1 : 0;

function isUpToDate(folder, name) {
  const made = readFileSync(join(folder, subfolder, name), 'utf8');
  return made.replace(/"\.\.\/(\w+Api)"/, '"./$1"') === readFileSync(join(folder, name), 'utf8');
}
