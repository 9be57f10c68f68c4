import type { Page } from '@playwright/test';
import { staff } from './server';
import { expect } from './test';

export { staff };

export const TOKEN_KEY = 'adminSessionToken';

/** A session of its own, as signing in would give. */
export async function newSession(page: Page): Promise<string> {
  const answer = await page.request.post('/api/admin/login', { data: staff });
  expect(answer.status()).toBe(200);
  const { sessionToken } = (await answer.json()) as { sessionToken: string };
  return sessionToken;
}

/** Opens the console with a session. */
export async function openConsole(page: Page, search = ''): Promise<string> {
  const token = await newSession(page);
  await page.goto('/contact'); // a page of this origin without any script
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    TOKEN_KEY,
    token,
  ] as const);
  await page.goto(`/admin${search}`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  return token;
}

/**
 * Ends all sessions when the page posts to this address. If they ended before, a request in the background, such as the one
 * that the notice of what is missing repeats, could find it out first, and this one could no longer be sent.
 */
export async function endSessionsAt(
  page: Page,
  address: string,
  query: (sql: string) => Promise<unknown>,
) {
  await page.route(address, async (route) => {
    if (route.request().method() === 'POST') await query('DELETE FROM admin_sessions');
    await route.continue();
  });
}

/** Signs in as people do. */
export async function signIn(page: Page, { username, password } = staff) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** The value beside the label of one of the figures. */
export const figure = (page: Page, label: string) =>
  page.locator('.figure-card', { hasText: label }).locator('.figure-value');

export const tab = (page: Page, name: string) => page.getByRole('tab', { name });
