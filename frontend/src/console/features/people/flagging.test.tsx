import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall } from '../../../testing/console/handlers';
import { aPerson, FILE, personIs, requestsAre, tagsAre } from '../../../testing/console/people';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { aMe } from '../../../testing/console/staff';
import { server } from '../../../testing/server';

const flag = {
  flaggedAt: '2026-11-21T15:00:00Z',
  unflaggedAt: null,
  reason: 'Called from a call center',
  evidence: [],
};

describe('flagging from the file of a person', () => {
  const sent: unknown[] = [];
  const answers = (path: string) =>
    adminCall('post', path, async (request) => {
      sent.push([path, await request.json()]);
      return { success: true };
    });

  beforeEach(() => {
    sent.length = 0;
    server.use(tagsAre([]), requestsAre([]), answers('flag-user'), answers('unflag-user'));
  });

  const ask = async (name: string) => {
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name }));
    return { user, asked: within(await screen.findByRole('alertdialog')) };
  };

  it('names the person and asks for a reason', async () => {
    server.use(personIs(aPerson()));
    const { user, asked } = await ask('Flag...');
    expect(await asked.findByText('Flag ***-***-4567?')).toBeVisible();
    await user.type(asked.getByLabelText('Reason for staff'), 'Entered for others');
    await user.selectOptions(
      asked.getByLabelText('Reason that the user reads'),
      'Against the official rules',
    );
    await user.click(asked.getByRole('button', { name: 'Flag' }));
    expect(await toast()).toHaveTextContent('User flagged');
    const body = { userId: 7, reason: 'Entered for others', publicReason: 'rules' };
    expect(sent).toEqual([['flag-user', body]]);
  });

  it('takes a flag away, with a reason', async () => {
    server.use(personIs(aPerson({ flags: [flag] })));
    const { user, asked } = await ask('Unflag...');
    await user.type(asked.getByLabelText('Reason'), 'They called');
    await user.click(asked.getByRole('button', { name: 'Unflag' }));
    await waitFor(() =>
      expect(sent).toEqual([['unflag-user', { userId: 7, reason: 'They called' }]]),
    );
  });

  it('is not for support', async () => {
    server.use(
      personIs(aPerson({ flags: [flag] })),
      adminCall('get', 'me', () => aMe({ role: 'support' })),
    );
    renderAdmin(FILE);
    expect(await screen.findByText('Called from a call center')).toBeVisible();
    expect(screen.queryByRole('button', { name: /flag\.\.\./i })).not.toBeInTheDocument();
  });
});
