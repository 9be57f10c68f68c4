import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimDetailView } from '../../api/admin';
import { aClaim, aClaimFile, claimIs, claimsAre } from '../../../testing/console/claims';
import { DRAWING, installDrawing } from '../../../testing/console/drawing';
import { adminCall, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { actsOf, type Act } from './words';

installDrawing();

const FILE = `${DRAWING}&claim=5`;
const table = () => screen.findByRole('table', { name: /claims of drawn entries/ });

describe('the list of claims', () => {
  it('says whose turn it is, and what waits for staff', async () => {
    server.use(
      claimsAre(
        [
          aClaim(),
          aClaim({
            id: 4,
            rank: 1,
            status: 'pending',
            needsCall: true,
            paused: true,
            expiresAt: '2026-12-04T15:00:00Z',
            notificationsSent: 2,
          }),
        ],
        2,
      ),
    );
    renderAdmin(DRAWING);
    const rows = rowsOf(await table()).map((row) => row.map((cell) => cell?.replace(/\s+/g, ' ')));
    expect(rows).toEqual([
      [
        'Garden Bag EssentialsGarden Bag Essentials, drawing 7',
        'Drawn first',
        '***-***-4567',
        'To be checked',
        '',
        '1',
        'Nov 20, 2026, 10:00 AM',
      ],
      [
        'Garden Bag EssentialsGarden Bag Essentials, drawing 7',
        'Alternate 1',
        '***-***-4567',
        'Waiting for the winnerNeeds a callPaused',
        'Dec 4, 2026, 10:00 AM',
        '2',
        'Nov 20, 2026, 10:00 AM',
      ],
    ]);
    expect(await part('Claims')).toHaveTextContent('2 for you');
  });

  it('says what will appear when there are none', async () => {
    server.use(claimsAre([]));
    renderAdmin(DRAWING);
    expect(await screen.findByText('No claims yet')).toBeInTheDocument();
  });

  it('keeps its place while it loads, fails, and is asked for again', async () => {
    server.use(http.get('*/api/admin/claims', never));
    const { unmount } = renderAdmin(DRAWING);
    expect(await within(await part('Claims')).findByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing('/api/admin/claims', 503, { error: 'No' }));
    const { user } = renderAdmin(DRAWING);
    const retry = await within(await part('Claims')).findByRole('button', { name: 'Try again' });
    server.use(claimsAre([aClaim()]));
    await user.click(retry);
    expect(await table()).toBeInTheDocument();
  });

  it('is filtered by status, which stands in the address', async () => {
    server.use(claimsAre([aClaim(), aClaim({ id: 4, status: 'expired' })]));
    const { user } = renderAdmin(DRAWING);
    await table();
    await user.selectOptions(screen.getByLabelText('Claim status'), 'Expired');
    await waitFor(async () => expect(rowsOf(await table())).toHaveLength(1));
    expect(location.search).toContain('claims.status=expired');
  });

  it('opens a claim, which has an address and leads back', async () => {
    server.use(claimsAre([aClaim()]), claimIs(aClaimFile));
    const { user } = renderAdmin(DRAWING);
    await user.click(within(await table()).getByRole('link'));
    expect(location.search).toBe(FILE);
    expect(await part('Name and address')).toHaveTextContent('Ada Lovelace');
    const back = screen.getByRole('link', { name: 'Back to drawings' });
    expect(back).toHaveFocus();
    await user.click(back);
    expect(await table()).toBeInTheDocument();
  });
});

describe('a claim', () => {
  let claim: ClaimDetailView;
  let looks: number;
  const sent: [string, unknown][] = [];

  beforeEach(() => {
    claim = aClaimFile();
    looks = 0;
    sent.length = 0;
    server.use(
      claimsAre([]),
      claimIs(() => {
        looks += 1;
        return claim;
      }),
      http.post('*/api/admin/claims/5/:act', async ({ request, params }) => {
        const text = await request.text();
        sent.push([String(params.act), text ? JSON.parse(text) : null]);
        return Response.json(claim);
      }),
    );
  });

  const dialog = () => screen.findByRole('alertdialog');

  async function open(changes: Partial<ClaimDetailView>, act: string) {
    claim = aClaimFile(changes);
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: act }));
    const box = await dialog();
    return { user, box, confirm: within(box).getByRole('button', { name: act }) };
  }

  it('keeps what the winner sent on screen when a step answers without it', async () => {
    const { user, confirm } = await open({}, 'Approve');
    claim = aClaimFile({ status: 'verified', details: null });
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Claim approved');
    expect(await screen.findByText('Approved')).toBeInTheDocument();
    expect(await part('Name and address')).toHaveTextContent('Ada Lovelace');
    expect(looks).toBe(1);
    expect(await part('Garden Bag Essentials')).toHaveTextContent('Published if approvedAda, IL');
  });

  it('shows what the winner sent meanwhile, once it is asked for', async () => {
    const { user, confirm } = await open({ details: null, submittedAt: null }, 'Reject');
    await user.selectOptions(await screen.findByLabelText('Reason'), 'fraud');
    await user.type(screen.getByLabelText('Note'), 'Ten accounts');
    claim = aClaimFile({ status: 'rejected', details: null });
    await user.click(confirm);
    const card = within(await part('Name and address'));
    const show = await card.findByRole('button', { name: 'Show the name and the address' });
    expect(card.queryByText('The winner has not sent them.')).not.toBeInTheDocument();
    claim = aClaimFile({ status: 'rejected' });
    await user.click(show);
    expect(await card.findByText('Ada Lovelace')).toBeInTheDocument();
  });

  it('shows what the winner sent, and says that each look is written down', async () => {
    renderAdmin(FILE);
    const details = await part('Name and address');
    expect(details).toHaveTextContent('12 Example Street Springfield, IL 62701');
    expect(details).toHaveTextContent('Each look is in the audit log.');
    expect(details).toHaveTextContent('Yes, by first name and state');
    expect(looks).toBe(1);
  });

  it.each<[string, Partial<ClaimDetailView>, RegExp]>([
    ['a dispute', { paused: true }, /payment dispute about counted entries is open/],
    ['another number', { numberMatches: false }, /not the drawn one any more/],
    [
      'no text',
      { status: 'pending', needsCall: true },
      /Call \(555\) 123-4567\. Once you have confirmed the number, you get a code/,
    ],
    [
      'erased details',
      { details: null, detailsErasedAt: '2027-03-01T15:00:00Z' },
      /Erased on Mar 1/,
    ],
    ['nothing sent', { details: null, submittedAt: null }, /has not sent them/],
  ])('says what %s means', async (_, changes, words) => {
    claim = aClaimFile(changes);
    renderAdmin(FILE);
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it('lists calls, the rejection and the objection', async () => {
    claim = aClaimFile({
      status: 'rejected',
      noteCalls: [{ at: '2026-11-21T15:00:00Z', note: 'Nobody answered.' }],
      rejection: {
        reason: 'residence',
        note: 'You live abroad.',
        rejectedAt: '2026-11-22T15:00:00Z',
        objectUntil: '2099-11-29T15:00:00Z',
        objection: { message: 'I moved back.', at: '2026-11-23T15:00:00Z' },
      },
      decidedAt: '2026-11-22T15:00:00Z',
    });
    renderAdmin(FILE);
    const history = await part('Calls and decisions');
    for (const words of ['Nobody answered.', 'You live abroad.', 'I moved back.', 'Lives where']) {
      expect(history).toHaveTextContent(words);
    }
    expect(screen.getByRole('button', { name: 'Approve' })).toBeInTheDocument();
  });

  it('is approved once, after the consequence was named', async () => {
    const { user, box, confirm } = await open({}, 'Approve');
    expect(box).toHaveAccessibleDescription(/The prize is theirs/);
    await user.dblClick(confirm);
    expect(await toast()).toHaveTextContent('Claim approved');
    expect(sent).toEqual([['approve', null]]);
  });

  it('is rejected only with a reason and a note', async () => {
    const { user, box, confirm } = await open({}, 'Reject');
    expect(box).toHaveAccessibleDescription(/can object for 7 days/);
    await user.click(confirm);
    const [reason, note] = [
      within(box).getByLabelText('Reason'),
      within(box).getByLabelText('Note'),
    ];
    await waitFor(() => expect(reason).toHaveAccessibleDescription(/Choose a reason/));
    expect(note).toHaveAccessibleDescription(/Write a note/);
    expect(sent).toEqual([]);
    await user.selectOptions(reason, 'The details are false');
    await user.type(note, ' The street does not exist. ');
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Claim rejected');
    expect(sent).toEqual([
      ['reject', { reason: 'false_details', note: 'The street does not exist.' }],
    ]);
  });

  it.each<[string, Partial<ClaimDetailView>, string, [string, unknown], boolean]>([
    ['Mark as delivered', { status: 'shipped' }, 'Prize marked', ['delivered', null], false],
    ['Text the link again', { status: 'pending' }, 'on its way', ['resend', null], false],
    ['Note a call', { status: 'pending' }, 'Call noted', ['called', { note: 'Rang' }], true],
    [
      'Confirm the number',
      { status: 'pending', needsCall: true },
      'Number confirmed',
      ['confirm-number', { note: 'Rang' }],
      true,
    ],
    [
      'Unreachable',
      { status: 'pending', needsCall: true, mayBeUnreachable: true },
      'Claim ended',
      ['unreachable', null],
      false,
    ],
  ])('can be changed: %s', async (act, changes, said, call, takesNote) => {
    const { user, box, confirm } = await open(changes, act);
    if (takesNote) await user.type(within(box).getByLabelText('Note'), 'Rang');
    await user.click(confirm);
    expect(await toast()).toHaveTextContent(said);
    expect(sent).toEqual([call]);
  });

  it('is sent with a carrier and a number, which can be corrected', async () => {
    const shipment = {
      carrier: 'UPS',
      trackingNumber: '1Z999AA1',
      trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA1',
      shippedAt: '2026-11-25T15:00:00Z',
    };
    const { user, box, confirm } = await open({ status: 'verified' }, 'Mark as sent');
    const carrier = within(box).getByLabelText('Carrier');
    const number = within(box).getByLabelText('Tracking number');
    await user.type(number, '1Z/1');
    await user.click(confirm);
    await waitFor(() => expect(carrier).toHaveAccessibleDescription(/Enter the carrier/));
    expect(number).toHaveAccessibleDescription(/6 to 40 letters, digits and dashes/);
    expect(sent).toEqual([]);
    await user.type(carrier, ' UPS');
    await user.clear(number);
    await user.type(number, '1Z 999 AA1');
    claim = aClaimFile({ status: 'shipped', shipment });
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Prize marked as sent');
    expect(sent).toEqual([['shipped', { carrier: 'UPS', trackingNumber: '1Z999AA1' }]]);
    const history = within(await part('Calls and decisions'));
    expect(await history.findByText(/^Sent on .* with UPS$/)).toBeVisible();
    expect(history.getByRole('link', { name: '1Z999AA1' })).toHaveAttribute(
      'href',
      shipment.trackingUrl,
    );
    await user.click(screen.getByRole('button', { name: 'Mark as sent' }));
    const again = within(await screen.findByRole('alertdialog'));
    expect(again.getByLabelText('Tracking number')).toHaveValue('1Z999AA1');
  });

  it('keeps what was typed when somebody else was faster, and shows the claim of now', async () => {
    const { user, box, confirm } = await open({}, 'Reject');
    const error = 'The claim has moved on. Please reload it.';
    server.use(refusing('/api/admin/claims/5/reject', 409, { error, code: 'wrong_status' }));
    claim = aClaimFile({ status: 'verified' });
    server.use(claimIs(() => claim));
    await user.selectOptions(within(box).getByLabelText('Reason'), 'Not an adult');
    await user.type(within(box).getByLabelText('Note'), 'Seventeen.');
    await user.click(confirm);
    expect(await within(box).findByText(error)).toHaveAttribute('role', 'alert');
    expect(within(box).getByLabelText('Note')).toHaveValue('Seventeen.');
  });

  it('that is unknown says so', async () => {
    server.use(refusing('/api/admin/claims/5', 404, { error: 'Not found', code: 'not_found' }));
    renderAdmin(FILE);
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

describe('what staff can do', () => {
  const now = Date.parse('2026-11-25T15:00:00Z');
  it.each<[Partial<ClaimDetailView>, Act[]]>([
    [{ status: 'submitted' }, ['approve', 'reject']],
    [{ status: 'submitted', paused: true }, ['reject']],
    [{ status: 'submitted', numberMatches: false }, ['reject']],
    [{ status: 'pending' }, ['resend', 'call']],
    [{ status: 'pending', needsCall: true }, ['resend', 'call', 'confirm']],
    [{ status: 'code_verified' }, ['resend', 'call']],
    [{ status: 'verified' }, ['ship', 'deliver']],
    [{ status: 'shipped' }, ['ship', 'deliver']],
    [{ status: 'delivered' }, []],
    [{ status: 'declined' }, []],
    [{ status: 'expired' }, []],
  ])('with %j is %j', (changes, acts) => {
    expect(actsOf(aClaimFile(changes), now)).toEqual(acts);
  });

  it('with a rejection is to approve while the winner can object', () => {
    const rejection = (objectUntil: string) =>
      aClaimFile({
        status: 'rejected',
        rejection: {
          reason: 'fraud',
          note: 'No',
          rejectedAt: '2026-11-20T15:00:00Z',
          objectUntil,
          objection: null,
        },
      });
    expect(actsOf(rejection('2026-11-25T15:00:01Z'), now)).toEqual(['approve']);
    expect(actsOf(rejection('2026-11-25T15:00:00Z'), now)).toEqual([]);
  });
});

describe('the shipping list', () => {
  it('has the prizes that are to be sent, with their labels', async () => {
    const { details, prize } = aClaimFile();
    const parcel = {
      claimId: 5,
      drawingId: 7,
      landingPage: 'garden-bag',
      prize,
      approvedAt: '2026-11-21T15:00:00Z',
      details,
    };
    server.use(claimsAre([aClaim()]), adminCall('get', 'shipping-list', { parcels: [parcel] }));
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('link', { name: 'Shipping list' }));
    expect(await screen.findByRole('link', { name: 'Back to drawings' })).toHaveFocus();
    const rows = rowsOf(await screen.findByRole('table', { name: /Prizes that are to be sent/ }));
    expect(rows).toEqual([
      [
        'Garden Bag EssentialsGarden Bag Essentials, drawing 7',
        'Ada Lovelace12 Example Street\nSpringfield, IL 62701',
        'Nov 21, 2026, 10:00 AM',
      ],
    ]);
    expect(screen.getByRole('button', { name: 'Print' })).toBeVisible();
  });

  it('says when there is nothing to send', async () => {
    server.use(adminCall('get', 'shipping-list', { parcels: [] }));
    renderAdmin(`${DRAWING}&view=shipping`);
    expect(await screen.findByText('Nothing to send')).toBeVisible();
  });
});
