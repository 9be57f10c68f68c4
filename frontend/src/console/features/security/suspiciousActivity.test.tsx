import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import { aPerson } from '../../../testing/console/people';
import { rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import {
  anAddress,
  suspicious,
  renderTab,
  addresses,
  flagButton,
} from '../../../testing/console/security';

describe('the security tab', () => {
  it('says what a flag means', async () => {
    renderTab();
    expect(
      await screen.findByText(/Flagged users are excluded from all raffle drawings/),
    ).toHaveTextContent('They can still use the site but cannot win.');
  });
});

describe('suspicious activity', () => {
  it('lists addresses with their accounts and status', async () => {
    server.use(
      suspicious([
        anAddress(),
        anAddress({ ipAddress: '2001:db8::7', count: 1_200, flagged: true }),
        anAddress({ ipAddress: '203.0.113.9', count: 3, userId: null }),
      ]),
    );
    renderTab();
    const rows = rowsOf(await addresses());
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['203.0.113.7', '4', 'Active'],
      ['2001:db8::7', '1,200', 'Flagged'],
      ['203.0.113.9', '3', 'Active'],
    ]);
  });

  it('offers to flag only where no one is flagged and a user is known', async () => {
    server.use(
      suspicious([
        anAddress({ ipAddress: '203.0.113.1' }),
        anAddress({ ipAddress: '203.0.113.2', flagged: true }),
        anAddress({ ipAddress: '203.0.113.3', userId: null }),
      ]),
    );
    renderTab();
    const buttons = within(await addresses()).getAllByRole('button', { name: /^Flag/ });
    expect(buttons).toHaveLength(1);
    expect(buttons[0]).toHaveAccessibleName('Flag (User) 12 of 203.0.113.1');
  });

  it('shows an empty state', async () => {
    renderTab();
    expect(await screen.findByText('No suspicious activity')).toBeInTheDocument();
  });

  const dialog = async () => within(await screen.findByRole('alertdialog'));

  it('says whom it flags and asks why, flags once, and confirms it', async () => {
    const sent: unknown[] = [];
    let isFlagged = false;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      suspicious(() => [anAddress({ flagged: isFlagged })]),
      adminCall('get', 'people/:id', () => aPerson()),
      adminCall('post', 'flag-user', async (request) => {
        sent.push(await request.json());
        await held;
        isFlagged = true;
        return { success: true };
      }),
    );
    const { user } = renderTab();
    await user.click(await flagButton());
    const asked = await dialog();
    expect(await asked.findByText('Flag ***-***-4567?')).toBeVisible();
    expect(
      asked.getByText(/^This user entered Garden Bag Essentials and has 3 entries\./),
    ).toBeVisible();
    expect(asked.getByLabelText('Reason for staff')).toHaveValue(
      'Multiple accounts from IP 203.0.113.7',
    );
    await user.type(asked.getByLabelText('Reason for staff'), ', one device');
    await user.selectOptions(asked.getByLabelText('Reason that the user reads'), 'Not eligible');
    await user.dblClick(asked.getByRole('button', { name: 'Flag' }));
    answer();
    expect(await toast()).toHaveTextContent('User flagged');
    await waitFor(async () => expect(await addresses()).toHaveTextContent('Flagged'));
    const reason = 'Multiple accounts from IP 203.0.113.7, one device';
    expect(sent).toEqual([{ userId: 12, reason, publicReason: 'not_eligible' }]);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    const table = await addresses();
    expect(within(table).queryByRole('button', { name: /^Flag/ })).not.toBeInTheDocument();
    await waitFor(() => expect(document.activeElement).toContainElement(table)); // not thrown back to the page's start
  });

  it('leaves the user unflagged when it fails, and keeps what was typed', async () => {
    server.use(
      suspicious([anAddress()]),
      adminCall('get', 'people/:id', () => aPerson()),
      refusing('/api/admin/flag-user', 500, { error: 'No', code: 'internal' }),
    );
    const { user } = renderTab();
    await user.click(await flagButton());
    const asked = await dialog();
    await user.click(asked.getByRole('button', { name: 'Flag' }));
    expect(await asked.findByRole('alert')).not.toBeEmptyDOMElement();
    expect(asked.getByLabelText('Reason for staff')).not.toHaveValue('');
    expect(await addresses()).toHaveTextContent('Active');
    expect(screen.queryByText('User flagged')).not.toBeInTheDocument();
  });

  it('flags nobody without a reason', async () => {
    server.use(
      suspicious([anAddress()]),
      adminCall('get', 'people/:id', () => aPerson()),
    );
    const { user } = renderTab();
    await user.click(await flagButton());
    const asked = await dialog();
    await user.clear(asked.getByLabelText('Reason for staff'));
    await user.click(asked.getByRole('button', { name: 'Flag' }));
    expect(await asked.findByText('Enter a reason.')).toBeVisible();
  });
});

describe('running fraud detection', () => {
  const button = () => screen.findByRole('button', { name: /^Run/ });

  it.each([
    [0, 'No new accounts were flagged.'],
    [1, '1 new account was flagged.'],
    [1_204, '1,204 new accounts were flagged.'],
  ])('that flags %i shows how many, and refreshes the lists', async (count, sentence) => {
    let ran = false;
    server.use(
      suspicious(() => (ran ? [anAddress({ flagged: true })] : [])),
      adminCall('post', 'fraud-detection', () => {
        ran = true;
        return { flagged: count };
      }),
    );
    const { user } = renderTab();
    await user.click(await button());
    expect(await toast()).toHaveTextContent(
      'Fraud detection completedSuspicious accounts have been flagged',
    );
    expect(await screen.findByText(sentence)).toHaveAttribute('role', 'status');
    expect(await addresses()).toHaveTextContent('203.0.113.7');
  });

  it('says that it runs, and runs once', async () => {
    let runs = 0;
    server.use(
      adminCall('post', 'fraud-detection', async () => {
        runs += 1;
        await never();
        return {};
      }),
    );
    const { user } = renderTab();
    await user.dblClick(await button());
    expect(await screen.findByRole('button', { name: 'Running...' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await waitFor(() => expect(runs).toBe(1));
  });

  it('shows a failure without a toast', async () => {
    server.use(http.post('*/api/admin/fraud-detection', () => HttpResponse.error()));
    const { user } = renderTab();
    await user.click(await button());
    expect(await screen.findByText('Fraud detection did not run. Try again.')).toBeInTheDocument();
    expect(screen.queryByText('Fraud detection completed')).not.toBeInTheDocument();
    expect(await button()).toHaveTextContent('Run Fraud Detection');
  });
});
