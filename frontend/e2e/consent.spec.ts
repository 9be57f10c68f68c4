import { query } from './database';
import { violations } from './axe';
import { expect, newPhone, openYourEntry, phoneField, submitButton, test } from './test';

test.use({ viewport: { width: 390, height: 844 } });

test('an entrant turns texts about raffles on and off, and only in the own browser', async ({
  page,
  browser,
}) => {
  await page.goto('/garden-bag');
  await phoneField(page).fill(newPhone());
  await submitButton(page).click();
  await expect(page).toHaveURL(/\/garden-bag\/success\/\d+$/);
  const id = /\d+$/.exec(page.url())?.[0];
  await openYourEntry(page);
  const toggle = page.getByRole('switch', { name: /Text me about upcoming raffles/ });
  const saved = page.getByText(/^Saved: texts are/);
  await expect(toggle).not.toBeChecked(); // the form's empty box is a refusal
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect(saved).toHaveText('Saved: texts are on.');
  await page.reload();
  await expect(toggle).toBeChecked();
  expect(await violations(page)).toEqual([]);
  await toggle.click();
  await expect(saved).toHaveText('Saved: texts are off.');

  const acts = await query<{ act: string; granted: boolean; version: string }>(
    'SELECT act, granted, version FROM user_consent WHERE user_id = $1 ORDER BY id',
    [id],
  );
  expect(acts.slice(-2)).toEqual([
    { act: 'switch', granted: true, version: '2026-11-23' },
    { act: 'switch', granted: false, version: '2026-11-23' },
  ]);

  const stranger = await browser.newPage();
  await stranger.goto(page.url());
  await expect(stranger.getByText(/^Only the browser that you entered with/)).toBeVisible();
  await expect(stranger.getByRole('switch')).toHaveCount(0);
  await stranger.close();
});
