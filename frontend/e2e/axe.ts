import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules that depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The preview of a raffle runs no script, and so no axe. It shows pages that are looked at as themselves. */
const PREVIEW = '.preview-window iframe';

/** What axe finds with some of its rules. */
async function found(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // The results of frames are put together in a second page. Without frames, the legacy mode does the same in two thirds of the time.
  const previews = await page.locator(PREVIEW).count();
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1 + previews);
  if (previews) axe.exclude(PREVIEW);
  const { violations } = await choose(axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What axe finds fault with, by WCAG 2.2 AA and by good practice. */
export function violations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  return found(page, (axe) => axe.withTags(tags));
}

/**
 * The same in the light color scheme, and what the colors of the dark one cause: nothing else differs. The page must not move,
 * because a color on its way to another has neither's contrast.
 */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found(page, (axe) => axe.withRules(COLOR_RULES));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...(await violations(page)), ...dark.map((violation) => `dark: ${violation}`)];
}
