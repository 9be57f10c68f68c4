import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turnCodesOn, withCodes } from '../../../testing/site/codes';
import { blockCookies, COOKIES_BLOCKED } from '../../../testing/site/cookies';
import { enterButton, enterWith, phoneInput, renderPath } from '../../../testing/site/renderPath';
import { registering, server, type Sent } from '../../../testing/server';

const NUMBER = '(555) 123-4567';
const stepTitle = () => screen.findByRole('heading', { level: 2, name: 'Enter your code' });
const saysSo = () =>
  waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(COOKIES_BLOCKED));

let sent: Sent[];
beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  turnCodesOn();
  server.use(...withCodes(sent, { resendAfter: 0 }));
});
afterEach(() => document.head.replaceChildren());

describe('a browser that blocks cookies', () => {
  it('is told before a text is sent, and can go on once it takes them', async () => {
    const blocked = blockCookies();
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await saysSo();
    expect(sent).toEqual([]);
    expect(phoneInput()).toHaveValue(NUMBER);
    blocked.mockRestore();
    await user.click(enterButton());
    await stepTitle();
    expect(document.cookie).toBe('');
  });

  it('is told before the code is sent again', async () => {
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await stepTitle();
    blockCookies();
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    await saysSo();
    expect(sent.map(({ path }) => path)).toEqual(['/api/users/register']);
  });

  it('enters where there are no codes', async () => {
    document.head.replaceChildren();
    server.use(registering({}, sent));
    blockCookies();
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
    expect(sent).toHaveLength(1);
  });
});
