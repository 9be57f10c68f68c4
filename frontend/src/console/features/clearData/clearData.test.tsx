import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const SETTINGS = '?section=settings';
const PRICING = '?section=analytics&tab=pricing';

const stored = {
  analytics: { pageViews: 12_345, socialShares: 1, funnelSteps: 678 },
  referrals: { referrals: 392, bonusEntries: 1 },
  sms: { campaigns: 2, messages: 1_200, clicks: 300, templates: 1, replies: 7 },
};

let cleared: string[];
beforeEach(() => {
  cleared = [];
  const clearing = (path: string, deleted: object) =>
    adminCall('post', path, () => {
      cleared.push(path);
      return { success: true, deleted };
    });
  server.use(
    adminCall('get', 'stored-data', stored),
    adminCall('get', 'audit-log', { entries: [] }),
    clearing('clear-analytics', stored.analytics),
    clearing('clear-referrals', stored.referrals),
    clearing('clear-campaigns', { ...stored.sms, templates: 0, replies: 0 }),
    clearing('clear-sms', stored.sms),
  );
});

const analytics = {
  button: 'Clear Analytics Data',
  path: 'clear-analytics',
  rows: '12,345 page views, 1 social share and 678 funnel steps',
  done: 'Analytics data cleared',
  failed: ['Error clearing analytics', 'Failed to clear analytics'],
} as const;
const referrals = {
  button: 'Clear Referral Data',
  path: 'clear-referrals',
  rows: '392 referrals and 1 bonus entry',
  done: 'Referrals cleared',
  failed: ['Error clearing referrals', 'Failed to clear referrals'],
} as const;

const sms = {
  button: 'Clear All SMS Data',
  path: 'clear-sms',
  rows: '2 campaigns, 1,200 texts, 300 clicks, 1 template and 7 replies',
  done: 'SMS data cleared',
  failed: ['Error clearing SMS data', 'Failed to clear SMS data'],
} as const;

async function open(button: string, search = SETTINGS) {
  const { user } = renderAdmin(search);
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = screen.getByRole('alertdialog', { name: `${button}?` });
  const word = within(dialog).getByLabelText('Type CLEAR to confirm');
  return { user, dialog, word, confirm: within(dialog).getByRole('button', { name: button }) };
}

describe.each([analytics, referrals, sms])('$button', ({ button, path, rows, done, failed }) => {
  it('says what will be deleted, and how many rows', async () => {
    const { dialog } = await open(button);
    expect(await within(dialog).findByText(rows)).toBeInTheDocument();
    expect(dialog).toHaveAccessibleDescription(/for good/);
  });

  it('does nothing until the word is typed', async () => {
    const { user, word, confirm, dialog } = await open(button);
    await user.click(confirm);
    await user.type(word, 'clear{Enter}');
    expect(word).toHaveAccessibleDescription(/capital letters/);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).not.toBeInTheDocument();
    expect(cleared).toEqual([]);
    expect(screen.getByRole('button', { name: button })).toHaveFocus();
  });

  it('clears once, and says what was deleted', async () => {
    const { user, word, dialog } = await open(button);
    await user.type(word, 'CLEAR{Enter}{Enter}');
    expect(await toast()).toHaveTextContent(`${done}Deleted: ${rows}.`);
    expect(dialog).not.toBeInTheDocument();
    expect(cleared).toEqual([path]);
  });

  it('shows a failure in the dialog and in a toast, and can be tried again', async () => {
    const { user, word, dialog } = await open(button);
    server.use(refusing(`/api/admin/${path}`, 500, { error: 'Something broke', code: 'internal' }));
    await user.type(word, 'CLEAR{Enter}');
    expect(await toast()).toHaveTextContent(failed.join(''));
    await waitFor(() =>
      expect(within(dialog).getByRole('alert')).toHaveTextContent(`${failed[1]}. Something broke`),
    );
    expect(word).toHaveValue('CLEAR');
    expect(within(dialog).getByRole('button', { name: button })).not.toHaveAttribute(
      'aria-disabled',
    );
  });

  it('of the dashboard says a failure only where it happened', async () => {
    const isSms = path === 'clear-sms';
    const { user, word, dialog } = await open(isSms ? 'Clear Campaigns' : button, PRICING);
    const call = isSms ? 'clear-campaigns' : path;
    server.use(http.post(`*/api/admin/${call}`, () => HttpResponse.error()));
    await user.type(word, 'CLEAR{Enter}');
    expect(await within(dialog).findByText(new RegExp(failed[1]))).toBeInTheDocument();
    expect(screen.queryByText(failed[0])).not.toBeInTheDocument();
  });
});

describe('Clear Campaigns, of the dashboard', () => {
  it('leaves the templates', async () => {
    const { user, word, dialog } = await open('Clear Campaigns', PRICING);
    const rows = '2 campaigns, 1,200 texts and 300 clicks';
    expect(await within(dialog).findByText(rows)).toBeInTheDocument();
    expect(dialog).toHaveAccessibleDescription(/Templates, replies and welcome messages stay/);
    await user.type(word, 'CLEAR{Enter}{Enter}');
    expect(await toast()).toHaveTextContent(`Campaigns clearedDeleted: ${rows}.`);
    expect(cleared).toEqual(['clear-campaigns']);
  });
});

describe('the rows that a clearing would delete', () => {
  it('are counted again each time', async () => {
    const { user, dialog } = await open('Clear Analytics Data');
    await within(dialog).findByText(/12,345 page views/);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    server.use(http.get('*/api/admin/stored-data', never));
    await user.click(screen.getByRole('button', { name: 'Clear Analytics Data' }));
    expect(await screen.findByText('Counting...')).toBeInTheDocument();
    expect(screen.queryByText(/12,345/)).not.toBeInTheDocument();
  });

  it('can be counted again after a failure', async () => {
    server.use(refusing('/api/admin/stored-data', 503, { error: 'Away' }));
    const { user, dialog } = await open('Clear Referral Data');
    const retry = await within(dialog).findByRole('button', { name: 'Try again' });
    server.use(adminCall('get', 'stored-data', stored));
    await user.click(retry);
    expect(await within(dialog).findByText(/392 referrals/)).toBeInTheDocument();
    expect(cleared).toEqual([]);
  });
});

describe('clearing while it runs', () => {
  it('cannot be left or started again', async () => {
    server.use(http.post('*/api/admin/clear-analytics', never));
    const { user, word, dialog } = await open('Clear Analytics Data');
    await user.type(word, 'CLEAR{Enter}');
    await waitFor(() => expect(dialog).toHaveTextContent('Clearing...'));
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).toBeInTheDocument();
  });
});

const job = (state: string, deletedRows: number, more: object = {}) => ({
  jobId: 7,
  what: 'clear_referrals',
  state,
  deleted: deletedRows ? { referrals: 392, bonusEntries: deletedRows - 392 } : {},
  deletedRows,
  totalRows: 393,
  startedAt: '2026-11-22T10:00:00Z',
  finishedAt: null,
  errorCode: null,
  ...more,
});

/** What the server says of its one job, from now on. */
function serve(now: ReturnType<typeof job>) {
  server.use(
    adminCall('get', 'jobs', { jobs: now.state === 'running' ? [now] : [] }),
    adminCall('get', 'jobs/7', now),
  );
}

describe('a clearing that takes longer', () => {
  const WAIT = { timeout: 10_000 };
  const button = referrals.button;

  async function started() {
    server.use(
      http.post('*/api/admin/clear-referrals', () => {
        serve(job('running', 0));
        return HttpResponse.json({ jobId: 7 }, { status: 202 });
      }),
    );
    const opened = await open(button);
    await opened.user.type(opened.word, 'CLEAR{Enter}');
    return opened;
  }

  it('shows its progress, and says at its end what was deleted', async () => {
    await started();
    const dialog = await screen.findByRole('dialog', { name: button }, WAIT);
    const bar = within(dialog).getByRole('progressbar', { name: `${button}: progress` });
    expect(await within(dialog).findByText('0 of 393 deleted', {}, WAIT)).toBeInTheDocument();
    expect(dialog).toHaveAccessibleDescription(/goes on when you close this/);
    serve(job('running', 392));
    expect(await within(dialog).findByText('392 of 393 deleted', {}, WAIT)).toBeInTheDocument();
    expect(bar).toHaveAttribute('value', '392');
    serve(job('completed', 393));
    expect(
      await screen.findByText('Deleted: 392 referrals and 1 bonus entry.', {}, WAIT),
    ).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument(), WAIT);
  }, 30_000);

  it('goes on when the dialog is closed', async () => {
    const { user } = await started();
    const dialog = await screen.findByRole('dialog', { name: button }, WAIT);
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(await screen.findByText('0 of 393 deleted', {}, WAIT)).toBeInTheDocument();
    serve(job('completed', 393));
    expect(await screen.findByText('Referrals cleared', {}, WAIT)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument(), WAIT);
  }, 30_000);

  it('is found again after a reload, and in another tab', async () => {
    serve(job('running', 100));
    const { user } = renderAdmin(SETTINGS);
    expect(await screen.findByText('100 of 393 deleted', {}, WAIT)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: button }));
    expect(screen.getByRole('dialog', { name: button })).toBeInTheDocument();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    serve(job('completed', 393));
    expect(await screen.findByText('Referrals cleared', {}, WAIT)).toBeInTheDocument();
  }, 30_000);

  it('says what is left when it fails, and can be started again', async () => {
    await started();
    await screen.findByRole('dialog', { name: button }, WAIT);
    serve(job('failed', 392, { errorCode: 'busy' }));
    const asking = await screen.findByRole('alertdialog', { name: `${button}?` }, WAIT);
    expect(within(asking).getByRole('alert')).toHaveTextContent(
      'Failed to clear referrals. Other work kept the data in use for too long. ' +
        'Only a part is deleted (392 referrals and 0 bonus entries). Clear again to delete the rest.',
    );
    expect(await toast()).toHaveTextContent(referrals.failed.join(''));
  }, 30_000);
});
