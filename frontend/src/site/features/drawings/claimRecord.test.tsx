import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { aClaimRecord, aDrawing } from '../../../testing/site/builders';
import {
  list,
  listing,
  proving,
  folded,
  section,
  strangers,
  vector,
} from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';
import type { ClaimRecordView } from '../../api/generatedDrawings';

type Changes = Partial<ClaimRecordView>;

const states: [Changes, string][] = [
  [{}, 'Drawn entry: waiting for a claim until December 15, 2026 at 12:00 PM EST'],
  [{ until: null }, 'Drawn entry: waiting for a claim'],
  [{ status: 'claimed', verifiedBy: 'code' }, 'Drawn entry: claimed, number verified by code'],
  [
    { status: 'claimed', verifiedBy: 'call', confirmedBy: 2, firstName: 'Ana', state: 'NY' },
    'Drawn entry: Won by Ana, NY. Claimed, number verified by call (two people).',
  ],
  [
    { status: 'delivered', verifiedBy: 'code', firstName: 'Ana', state: 'NY' },
    'Drawn entry: Won by Ana, NY. Delivered, number verified by code.',
  ],
  [{ status: 'delivered', firstName: 'Ana' }, 'Drawn entry: Won by Ana. Delivered.'],
  [
    { status: 'delivered', verifiedBy: 'visitor_token' },
    'Drawn entry: delivered, verified by the browser that entered',
  ],
  [{ status: 'declined' }, 'Drawn entry: declined the prize'],
  [{ status: 'expired' }, 'Drawn entry: not claimed in time'],
  [{ status: 'unreachable' }, 'Drawn entry: could not be reached, after calls on three days'],
  [
    { status: 'rejected', reason: 'underage', decidedBy: 1, until: null },
    'Drawn entry: not eligible (younger than 18), decided by one person',
  ],
  [
    { status: 'rejected', reason: 'residence', decidedBy: 2 },
    'Drawn entry: not eligible (not living in the United States), decided by two people, can object until December 15, 2026 at 12:00 PM EST',
  ],
];

const withClaims = (claims: ClaimRecordView[], isUnclaimed = false) =>
  listing([aDrawing({ claims, isUnclaimed })]);
const rows = async () =>
  within(
    await within(await section('Past drawings')).findByRole('list', { name: 'Claims' }),
  ).getAllByRole('listitem');

describe('what is public of claims', () => {
  it.each(states)('%j', async (changes, words) => {
    server.use(withClaims([aClaimRecord(changes)]));
    await renderPath('/drawings');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([words]);
    expect(screen.queryByText(/winner/i)).not.toBeInTheDocument();
  });

  it('names each rank that was passed over, with its reason', async () => {
    const passed = aClaimRecord({ status: 'expired', until: null });
    const asked = aClaimRecord({ rank: 1 });
    server.use(withClaims([passed, asked]));
    await renderPath('/drawings');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      'Drawn entry: not claimed in time',
      'Alternate 1: waiting for a claim until December 15, 2026 at 12:00 PM EST',
    ]);
  });

  it('says that nobody took the prize', async () => {
    server.use(withClaims([aClaimRecord({ status: 'declined' })], true));
    await renderPath('/drawings');
    expect((await rows()).at(-1)).toHaveTextContent('Unclaimed: nobody took the prize');
  });
});

describe('the prize on the page of a drawing', () => {
  const drawing = (changes: Parameters<typeof aDrawing>[0]) =>
    http.get('*/api/drawings/:id', () => HttpResponse.json(aDrawing(changes)));
  const proof = vector('drawn').proof;

  it('has the record, and follows it', async () => {
    server.use(proving(proof), strangers, list(), drawing({ claims: [aClaimRecord()] }));
    await renderPath('/drawings/41');
    const part = await section('The prize');
    expect(part).toHaveTextContent('Drawn entry: waiting for a claim until December 15, 2026');
    expect(within(part).getByRole('link', { name: 'official rules' })).toHaveAttribute(
      'href',
      '/rules#claiming',
    );
    server.use(drawing({ claims: [aClaimRecord({ status: 'claimed', verifiedBy: 'code' })] }));
    window.dispatchEvent(new Event('focus'));
    expect(await within(part).findByText(/claimed, number verified by code/)).toBeInTheDocument();
  });

  it('is left out where there were no claims yet', async () => {
    server.use(proving(proof), strangers, list());
    await renderPath('/drawings/41');
    await folded('Timeline');
    expect(screen.queryByRole('region', { name: 'The prize' })).not.toBeInTheDocument();
  });

  it('says what failed, and leaves the rest as it is', async () => {
    const record = refusing('/api/drawings/41', 503, { error: 'Away' });
    server.use(proving(proof), strangers, list(), record);
    const { user } = await renderPath('/drawings/41');
    const part = await section('The prize');
    expect(within(part).getByRole('alert')).toHaveTextContent('We are busy right now.');
    await folded('Timeline');
    const prize = { name: 'Citrus press', value: '$24' };
    server.use(drawing({ prize, claims: [aClaimRecord({ status: 'delivered' })] }));
    await user.click(within(part).getByRole('button', { name: 'Try again' }));
    expect(await within(part).findByText(/delivered/)).toBeInTheDocument();
    expect(part).toHaveTextContent('The prizeCitrus press ($24)');
  });
});
