// @vitest-environment node
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { zones } from '../../eslint.config.mjs';

const eslint = new ESLint({ overrideConfigFile: true, baseConfig: zones });

/** What lint says of one import in a file at this path. */
async function verdict(filePath: string, imported: string) {
  const [result] = await eslint.lintText(`import '${imported}';\n`, { filePath });
  return result?.messages.map(({ ruleId }) => ruleId);
}

describe('the lint zones', () => {
  it.each([
    ['src/shared/ui/Drawing.js', '../../features/entering/api'],
    ['src/shared/ui/Drawing.js', '../../app/store'],
    ['src/features/entering/Kit.js', '../success/api'],
    ['src/features/entering/Kit.js', '../../features/success/api'],
    ['src/features/success/api.js', '../entering/api'],
    ['src/features/success/api.js', '../../app/routes'],
    ['src/features/success/api.js', '../../testing/builders'],
    ['src/app/routes.js', '../entries/site'],
    ['src/themes/index.js', '../shared/lib/phone'],
  ])('refuse in %s the import of %s', async (file, imported) => {
    expect(await verdict(file, imported)).toEqual(['no-restricted-imports']);
  });

  it.each([
    ['src/shared/ui/Drawing.js', '../lib/phone'],
    ['src/features/entering/Kit.js', './api'],
    ['src/features/entering/Kit.js', '../../shared/lib/phone'],
    ['src/features/entering/Kit.js', '../../themes'],
    ['src/app/routes.js', '../features/success/SuccessPage'],
  ])('let %s import %s', async (file, imported) => {
    expect(await verdict(file, imported)).toEqual([]);
  });
});
