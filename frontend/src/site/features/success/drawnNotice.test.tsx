import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { aHold, aStanding } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';
import type { OwnClaimView, StandingView } from '../../api/generated';

const PAGE = '/garden-bag/success/7';
const URL = 'https://example.org/claim/0123456789abcdef0123456789abcdef';

const claimed = (changes: Partial<OwnClaimView> = {}): Partial<StandingView> => ({
  drawing: {
    id: 4,
    drawnAt: '2026-11-27T17:00:00Z',
    claim: { url: URL, status: 'pending', claimBy: '2026-12-11T17:00:00Z', ...changes },
  },
});
const standingIs = (standing: StandingView) =>
  server.use(http.get('*/api/users/:id/appeal', () => HttpResponse.json(standing)));

describe('somebody whose entry was drawn', () => {
  it.each([
    ['pending', 'You were drawn!', 'Claim the prize by December 11, 2026.', 'Claim your prize'],
    ['code_verified', 'You were drawn!', 'Claim the prize by', 'Claim your prize'],
    ['submitted', 'You were drawn!', 'We are checking your claim.', 'See your claim'],
    ['verified', 'You won!', 'The prize is yours', 'See your claim'],
    ['shipped', 'You won!', 'The prize is on its way to you.', 'See your claim'],
    ['delivered', 'You won!', 'The prize was delivered.', 'See your claim'],
    ['rejected', 'Your claim', 'Your claim was rejected.', 'Read why'],
  ] as const)('%s: reads it first on the page, with the way to the claim', async (...row) => {
    const [status, name, sentence, link] = row;
    standingIs(aStanding(claimed({ status })));
    await renderPath(PAGE);
    const notice = await screen.findByRole('region', { name });
    expect(notice).toHaveTextContent('One of your entries was drawn on November 27, 2026.');
    expect(notice).toHaveTextContent(sentence);
    expect(within(notice).getByRole('link', { name: link })).toHaveAttribute('href', URL);
    expect(notice.querySelectorAll('.confetti')).toHaveLength(status === 'rejected' ? 0 : 1);
    const title = screen.getByRole('heading', { level: 1 });
    expect(notice.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByText(/another entry came first/)).not.toBeInTheDocument();
  });

  it('reads of no deadline before there is one', async () => {
    standingIs(aStanding(claimed({ claimBy: null })));
    await renderPath(PAGE);
    expect(await screen.findByText(/Claim the prize\.$/)).toBeInTheDocument();
  });

  it.each(['declined', 'expired', 'unreachable'] as const)(
    '%s: reads nothing more',
    async (status) => {
      standingIs(aStanding(claimed({ status })));
      await renderPath(PAGE);
      await screen.findByRole('link', { name: 'Your entry and your data' });
      expect(screen.queryByText(/was drawn/)).not.toBeInTheDocument();
    },
  );

  it('reads of a hold too', async () => {
    standingIs(aHold(claimed()));
    await renderPath(PAGE);
    expect(await screen.findByRole('region', { name: 'You were drawn!' })).toBeInTheDocument();
    expect(screen.getByRole('region', { name: 'Your entries are on hold' })).toBeInTheDocument();
  });
});

it('the others read that it was drawn, and that they stay in', async () => {
  standingIs(aStanding({ drawing: { id: 4, drawnAt: '2026-11-27T17:00:00Z', claim: null } }));
  await renderPath(PAGE);
  const sentence = await screen.findByText(
    /^The raffle was drawn on November 27, 2026, and another/,
  );
  expect(sentence).toHaveTextContent('Yours stay in for the next drawing.');
  expect(within(sentence).getByRole('link')).toHaveAttribute('href', '/drawings/4');
});
