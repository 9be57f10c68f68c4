import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockCookies, COOKIES_BLOCKED } from '../../../testing/site/cookies';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';

const field = () => screen.findByLabelText('Code');
const open = () => screen.findByRole('button', { name: 'Open my claim' });

afterEach(() => vi.unstubAllGlobals());

describe('the code of a call', () => {
  it('opens the claim, once, however often the button is pressed', async () => {
    const replace = vi.fn();
    vi.stubGlobal('location', { ...location, pathname: '/claim', replace });
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/claims', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ token: '0123456789abcdef0123456789abcdef' });
      }),
    );
    const { user } = await renderPath('/claim');
    await user.type(await field(), 'abcde 23456');
    await user.dblClick(await open());
    await waitFor(() =>
      expect(replace).toHaveBeenCalledWith('/claim/0123456789abcdef0123456789abcdef'),
    );
    expect(sent).toEqual([{ code: 'abcde 23456' }]);
  });

  it('is not used up by a browser that blocks cookies', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/claims', ({ request }) => {
        sent.push(request.url);
        return HttpResponse.json({ token: '0123456789abcdef0123456789abcdef' });
      }),
    );
    blockCookies();
    const { user } = await renderPath('/claim');
    await user.type(await field(), 'abcde 23456');
    await user.click(await open());
    expect(await screen.findByText(COOKIES_BLOCKED)).toHaveAttribute('role', 'alert');
    expect(sent).toEqual([]);
  });

  it('says what is wrong with a code, and keeps it', async () => {
    const sentence = 'This code is not valid. A code works once, for a day.';
    server.use(
      http.post('*/api/claims', () =>
        HttpResponse.json({ error: sentence, code: 'code_expired' }, { status: 410 }),
      ),
    );
    const { user } = await renderPath('/claim');
    await user.type(await field(), 'ABCDE');
    await user.click(await open());
    expect(await screen.findByText(/Enter the code, for example/)).toBeInTheDocument();
    await user.type(await field(), '-23456');
    await user.click(await open());
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(await field()).toHaveValue('ABCDE-23456');
  });
});
