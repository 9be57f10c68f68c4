import { expect, type Page } from '@playwright/test';

/** Who may sign in to the console in these tests. */
export const staff = { username: 'staff', password: 'a horse, a battery and a staple' };

/** A session that the server has opened. */
export async function newSession(page: Page): Promise<string> {
  const answer = await page.request.post('/api/admin/login', { data: staff });
  expect(answer.status()).toBe(200);
  const { sessionToken } = (await answer.json()) as { sessionToken: string };
  return sessionToken;
}

/** Opens the console as somebody who signed in before: `?section=settings`. */
export async function openConsole(page: Page, search = '') {
  const token = await newSession(page);
  await page.goto('/robots.txt'); // a page of this origin, without any code
  await page.evaluate((value) => localStorage.setItem('adminSessionToken', value), token);
  await page.goto(`/admin${search}`);
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
}
