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
    ['src/shared/ui/toast/Toaster.js', '../../../site/lib/early'],
    ['src/shared/ui/toast/Toaster.js', '../../../console/ui/Button'],
    ['src/site/ui/PageFrame.js', '../features/entering/api'],
    ['src/site/ui/PageFrame.js', '../app/store'],
    ['src/site/ui/PageFrame.js', '../../console/ui/Button'],
    ['src/site/features/entering/Kit.js', '../success/api'],
    ['src/site/features/entering/Kit.js', '../../features/success/api'],
    ['src/site/features/entering/Kit.js', '../../../console/api/admin'],
    ['src/site/features/success/api.js', '../entering/api'],
    ['src/site/features/success/api.js', '../../app/routes'],
    ['src/site/features/success/api.js', '../../../testing/site/builders'],
    ['src/site/app/routes.js', '../../entries/site'],
    ['src/site/app/routes.js', '../../console/app/sections'],
    ['src/console/api/admin.js', '../features/pricing/schema'],
    ['src/console/features/pricing/Packages.js', '../security/FlagButton'],
    ['src/console/features/pricing/Packages.js', '../../../site/api/generated'],
    ['src/console/app/sections.js', '../../site/app/routes'],
    ['src/themes/index.js', '../shared/lib/phone'],
  ])('refuse in %s the import of %s', async (file, imported) => {
    expect(await verdict(file, imported)).toEqual(['no-restricted-imports']);
  });

  it.each([
    ['src/site/ui/PageFrame.js', './PageScene'],
    ['src/site/features/entering/Kit.js', './api'],
    ['src/site/features/entering/Kit.js', '../../lib/early'],
    ['src/site/features/entering/Kit.js', '../../../shared/lib/phone'],
    ['src/site/features/entering/Kit.js', '../../../themes'],
    ['src/site/app/routes.js', '../features/success/SuccessPage'],
    ['src/console/features/pricing/Packages.js', '../../ui/Table'],
    ['src/console/app/sections.js', '../features/pricing/PricingTab'],
  ])('let %s import %s', async (file, imported) => {
    expect(await verdict(file, imported)).toEqual([]);
  });
});
