import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OpeningCheckView } from '../../api/admin';
import { adminCall } from '../../../testing/console/handlers';
import { renderAdmin } from '../../../testing/console/renderConsole';
import { aMe } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const check = (changes: Partial<OpeningCheckView>): OpeningCheckView => ({
  name: 'texts',
  state: 'ready',
  message: 'Texts can be sent.',
  at: null,
  ...changes,
});

const checksAre = (...checks: OpeningCheckView[]) =>
  server.use(adminCall('get', 'opening', { checks }));

const noSponsor = check({
  name: 'sponsor',
  state: 'missing',
  message: 'The pages show placeholders. Set SPONSOR_NAME and restart the server.',
});

const item = async (title: string) =>
  (await screen.findByRole('heading', { name: new RegExp(`^${title}`) })).closest('li')!;

const notice = () => screen.queryByText(/^Not ready for visitors/);

describe('the page before you open', () => {
  it('lists each check with its state, what to do, and the screen where it is done', async () => {
    checksAre(
      check({ state: 'missing', message: 'No SMS account is set up.' }),
      check({ name: 'payments', state: 'warning', message: 'Nothing can be bought.' }),
      noSponsor,
      check({ name: 'beacon', message: 'A beacon decides.' }),
      check({ name: 'drawing', message: 'It is announced.', at: '2026-12-01T17:00:00Z' }),
    );
    const { user } = renderAdmin('?section=opening');
    expect(await screen.findByText('2 of 5 still missing.')).toBeVisible();
    const texts = await item('Texts');
    expect(texts).toHaveTextContent('Missing');
    expect(texts).toHaveTextContent('No SMS account is set up.');
    expect(await item('Payments')).toHaveTextContent('Can wait');
    expect(within(await item('Sponsor')).queryByRole('link')).toBeNull();
    expect(await item('Randomness beacon')).toHaveTextContent('Ready');
    expect(await item('Next drawing')).toHaveTextContent(/It is on .*2026/);
    await user.click(within(await item('Payments')).getByRole('link'));
    expect(location.search).toBe('?section=analytics&tab=pricing');
  });

  it('leads nobody to a screen that their role does not open', async () => {
    checksAre(check({ state: 'missing' }), check({ name: 'drawing' }));
    server.use(adminCall('get', 'me', aMe({ role: 'support' })));
    renderAdmin('?section=opening');
    expect(within(await item('Texts')).queryByRole('link')).toBeNull();
    expect(within(await item('Next drawing')).getByRole('link')).toBeVisible();
  });

  it.each([
    ['Everything is ready.', [check({})]],
    [
      'You can open. What can wait is marked.',
      [check({}), check({ name: 'beacon', state: 'warning' })],
    ],
  ] as const)('says: %s', async (words, checks) => {
    checksAre(...checks);
    renderAdmin('?section=opening');
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('says that it could not be read, and asks again', async () => {
    server.use(refusing('/api/admin/opening', 500, { error: 'Broken' }));
    const { user } = renderAdmin('?section=opening');
    expect(await screen.findByText('Broken')).toBeVisible();
    checksAre(check({}));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Everything is ready.')).toBeVisible();
  });
});

describe('the notice that the site is not ready', () => {
  it('stands on other screens while something is missing, and leads to the page', async () => {
    checksAre(noSponsor, check({ name: 'beacon', state: 'missing' }));
    const { user } = renderAdmin('?section=analytics');
    await waitFor(() =>
      expect(notice()).toHaveTextContent('Missing: sponsor and contact, randomness beacon.'),
    );
    await user.click(screen.getByRole('link', { name: 'What to do before you open' }));
    expect(location.search).toBe('?section=opening');
    expect(await screen.findByRole('heading', { level: 1, name: 'Before you open' })).toBeVisible();
    expect(notice()).toBeNull();
  });

  it('is not there while only something that can wait is open', async () => {
    checksAre(check({ name: 'beacon', state: 'warning' }));
    server.use(adminCall('get', 'audit-log', { entries: [] }));
    renderAdmin('?section=settings');
    await screen.findByText('Tombola 1.2.3');
    expect(notice()).toBeNull();
  });
});
