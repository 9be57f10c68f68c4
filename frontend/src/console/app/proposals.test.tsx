import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aClaimFile, claimIs } from '../../testing/console/claims';
import { installDrawing, rafflesAre } from '../../testing/console/drawing';
import { adminCall } from '../../testing/console/handlers';
import { aPerson, FILE, personIs, requestsAre, tagsAre } from '../../testing/console/people';
import { part, renderAdmin } from '../../testing/console/renderConsole';
import { aProposal } from '../../testing/console/staff';
import { aSealedDrawing, someSettings } from '../../testing/console/builders';
import { server } from '../../testing/server';

installDrawing();

const SENTENCE = /Proposed. Somebody else must approve it by Nov 22, 2026, 3:04 PM/;

/** Said in the place of the success, with the way to the approvals. */
async function proposed() {
  expect(await screen.findByText(SENTENCE)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open Approvals' })).toHaveAttribute(
    'href',
    '/admin?section=settings&tab=approvals',
  );
  expect(screen.queryByRole('listitem', { name: /toast/ })).not.toBeInTheDocument();
}

const alertDialog = async () => within(await screen.findByRole('alertdialog'));

describe('where two people are needed, an act is only proposed', () => {
  it('clearing', async () => {
    const counts = { pageViews: 1, socialShares: 0, funnelSteps: 0 };
    server.use(
      adminCall('get', 'stored-data', {
        analytics: counts,
        referrals: { referrals: 0, bonusEntries: 0 },
        sms: { campaigns: 0, messages: 0, clicks: 0, templates: 0, replies: 0 },
      }),
      adminCall('get', 'audit-log', { entries: [] }),
      adminCall('post', 'clear-analytics', aProposal),
    );
    const { user } = renderAdmin('?section=settings');
    await user.click(await screen.findByRole('button', { name: 'Clear Analytics Data' }));
    const dialog = await alertDialog();
    await user.type(dialog.getByLabelText('Type CLEAR to confirm'), 'CLEAR{Enter}');
    await proposed();
    expect(screen.queryByText('Analytics data cleared')).not.toBeInTheDocument();
  });

  it('saving credentials', async () => {
    server.use(
      adminCall('get', 'audit-log', { entries: [] }),
      adminCall('post', 'save-credentials', aProposal),
    );
    const { user } = renderAdmin('?section=settings');
    await user.type(await screen.findByLabelText('Account SID'), `AC${'0'.repeat(32)}`);
    await user.type(screen.getByLabelText('Auth Token'), '0'.repeat(32));
    await user.type(screen.getByLabelText('Phone Number'), '5551234567');
    await user.click(screen.getByRole('button', { name: 'Save credentials' }));
    await proposed();
    expect(screen.getByLabelText('Account SID')).toHaveValue('');
    expect(screen.queryByText('Credentials saved')).not.toBeInTheDocument();
  });

  it('showing packages, and the switch stays off', async () => {
    server.use(
      adminCall('get', 'entry-packages', { packages: [] }),
      adminCall('get', 'settings', () => ({ settings: someSettings(), version: '1.2.3' })),
      adminCall('post', 'settings', aProposal),
    );
    const { user } = renderAdmin('?section=analytics&tab=pricing');
    await user.click(await screen.findByRole('switch', { name: 'Show pricing' }));
    await proposed();
    await waitFor(() =>
      expect(screen.getByRole('switch')).toHaveAttribute('aria-checked', 'false'),
    );
    expect(screen.queryByText('Pricing display updated')).not.toBeInTheDocument();
  });

  it('rejecting a claim, which stays on screen as it is', async () => {
    server.use(
      claimIs(() => aClaimFile()),
      adminCall('post', 'claims/5/reject', aProposal),
    );
    const { user } = renderAdmin('?section=drawing&claim=5');
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = await alertDialog();
    await user.selectOptions(dialog.getByLabelText('Reason'), 'fraud');
    await user.type(dialog.getByLabelText('Note'), 'Ten accounts');
    await user.click(dialog.getByRole('button', { name: 'Reject' }));
    await proposed();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByText('To be checked')).toBeInTheDocument();
    expect(screen.getByText('Ada Lovelace')).toBeInTheDocument();
  });

  it('erasing a winner', async () => {
    server.use(
      tagsAre([]),
      personIs(aPerson()),
      requestsAre([]),
      adminCall('post', 'people/7/data-requests', aProposal),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: "Delete this person's data" }));
    const dialog = await alertDialog();
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE{Enter}');
    await proposed();
  });

  it('voiding a drawing', async () => {
    const late = aSealedDrawing({ voidableAt: '2020-01-01T00:00:00Z' });
    server.use(
      rafflesAre({ 'garden-bag': { waiting: [late] } }),
      adminCall('post', `drawing/${late.id}/void`, aProposal),
    );
    const { user } = renderAdmin('?section=drawing');
    await user.click(await screen.findByRole('button', { name: 'Void' }));
    const dialog = await alertDialog();
    await user.type(dialog.getByLabelText('Reason'), 'The beacon has ended');
    await user.click(dialog.getByRole('button', { name: 'Void' }));
    await proposed();
  });

  it('an additional drawing', async () => {
    server.use(
      rafflesAre({ 'garden-bag': { isDrawn: true } }),
      adminCall('post', 'drawing/perform', aProposal),
    );
    const { user } = renderAdmin('?section=drawing');
    const form = within(await part('Perform Drawing'));
    await user.click(await form.findByLabelText('Additional drawing'));
    await user.selectOptions(form.getByLabelText('Raffle'), 'garden-bag');
    await user.type(form.getByLabelText('Prize'), 'A second bag');
    await user.type(form.getByLabelText('Value'), '$49');
    await user.type(form.getByLabelText('Reason'), 'Our birthday');
    await user.click(form.getByRole('button', { name: 'Draw Winner' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Confirm Drawing' }));
    await user.click(dialog.getByRole('button', { name: 'Draw Winner' }));
    await proposed();
    await waitFor(() => expect(form.getByLabelText('Raffle')).toHaveValue(''));
  });
});
