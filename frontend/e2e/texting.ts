import type { Page } from '@playwright/test';
import { freshServer, staff } from './server';
import type { StandIn } from './standIn';
import { TOKEN_KEY } from './staff';
import { expect } from './test';
import { startTextProvider } from './textProvider';

interface Texting {
  origin: string;
  provider: StandIn<object>;
  /** A call of staff without the screen. */
  call: <Answer>(method: 'GET' | 'POST', path: string, data?: object) => Promise<Answer>;
  /** Opens the console, signed in. */
  openConsole: (search: string) => Promise<void>;
}

/** A server that sends its texts to the stand-in for the provider, for one test. */
export async function withTexting(
  page: Page,
  settings: Record<string, string>,
  run: (texting: Texting) => Promise<void>,
) {
  const provider = await startTextProvider();
  try {
    const server = await freshServer({ ...settings, TWILIO_API_BASE: provider.url });
    try {
      await run({ ...(await signedIn(page, server.origin)), provider });
    } finally {
      await server.stop();
    }
  } finally {
    await provider.stop();
  }
}

async function signedIn(page: Page, origin: string) {
  const answer = await page.request.post(`${origin}/api/admin/login`, { data: staff });
  const { sessionToken } = (await answer.json()) as { sessionToken: string };
  const headers = { Authorization: `Bearer ${sessionToken}` };

  async function call<Answer>(method: 'GET' | 'POST', path: string, data?: object) {
    const response = await page.request.fetch(`${origin}${path}`, { method, headers, data });
    const text = await response.text();
    expect(response.ok(), text).toBe(true);
    const isJson = response.headers()['content-type']?.startsWith('application/json');
    return (isJson ? JSON.parse(text) : text) as Answer;
  }

  async function openConsole(search: string) {
    await page.goto(`${origin}/terms`); // a page of this origin without any script
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      TOKEN_KEY,
      sessionToken,
    ] as const);
    await page.goto(`${origin}/admin${search}`);
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  }

  return { origin, call, openConsole };
}
