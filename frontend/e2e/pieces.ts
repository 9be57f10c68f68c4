import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

const END_OF_ELEMENT = /(?<=<\/(?:div|p|h1|h2|ul|li|dl|form|section|header|main|svg)>)/;

/** Opens a page whose elements arrive one after the other, two frames apart. */
export async function gotoInPieces(page: Page, path: string) {
  const whole = await page.request.get(path, { headers: { accept: 'text/html' } });
  const [first, ...others] = (await whole.text()).split(END_OF_ELEMENT);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  // Until the page is there: a request that is on its way when interception ends may wait for ever.
  let isFirst = true;
  await page.route(`**${path}`, (route) => {
    const change = isFirst ? { url } : {};
    isFirst = false;
    return route.continue(change);
  });

  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const opened = page.goto(path, { waitUntil: 'commit' });
  const [, response] = await asked;
  // No security policy: its 'self' would be this server.
  response.writeHead(whole.status(), { 'content-type': 'text/html; charset=utf-8' });
  response.write(first);
  await opened;
  for (const piece of others) {
    await page.evaluate(twoFrames);
    response.write(piece);
  }
  response.end();
  await page.waitForLoadState();
  await page.unroute(`**${path}`);
  server.close();
  server.closeAllConnections();
}

const twoFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
