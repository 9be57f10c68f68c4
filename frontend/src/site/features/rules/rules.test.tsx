import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { refusing, server } from '../../../testing/server';
import { renderPath } from '../../../testing/site/renderPath';
import { terms } from '../../../themes/legal';
import { LegalText } from '../pages/LegalPage';
import { RulesPage } from './RulesPage';
import { RulesText } from './RulesText';

const first = {
  version: 1,
  fromPeriod: '2026-11',
  createdAt: '2026-11-03T01:02:03Z',
  hash: 'a1'.repeat(32),
};
const second = { ...first, version: 2, fromPeriod: '2026-12', hash: 'b2'.repeat(32) };
const text =
  '# Official rules\n\nBe fair.\n\n## Sponsor\n\nWrite to us (/contact).\n\n- one\n- two\n';

const answering = (path: string, answer: object) =>
  http.get(`*/api/rules${path}`, () => HttpResponse.json(answer));

describe('the page of the rules', () => {
  it('says that it is loading', async () => {
    server.use(http.get('*/api/rules', () => delay('infinite')));
    await renderPath('/rules');
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    expect(screen.getByRole('article')).toHaveAttribute('aria-busy', 'true');
  });

  it('shows the rules of this month with version, dates, hash and all versions', async () => {
    server.use(answering('', { ...first, text, versions: [second, first] }));
    await renderPath('/rules');
    expect(await screen.findByRole('heading', { name: 'Version 1' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Official rules');
    expect(screen.getByText(/These are the rules of this month/)).toHaveTextContent(
      'They were stored on November 3, 2026 (UTC) and count from November 2026 on',
    );
    expect(screen.getAllByText(first.hash)).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'This version as JSON' })).toHaveAttribute(
      'href',
      '/api/rules/1',
    );
    const [later, shown] = screen
      .getAllByRole('listitem')
      .filter((item) => within(item).queryByRole('link', { name: /^Version \d/ }));
    expect(later).toHaveTextContent('Version 2, from December 2026');
    expect(later).toHaveTextContent('(does not count yet)');
    expect(shown).toHaveTextContent('(shown here)');
    expect(within(later!).getByRole('link')).toHaveAttribute('href', '/rules/2');
  });

  it('lists what can be won in each raffle, and what comes after it', async () => {
    const part = { item: 'Trowel', detail: 'Steel', valueInCents: 3_550 };
    const prize = {
      landingPage: 'garden-bag',
      period: '2026-11',
      name: 'Garden Bag Essentials',
      value: '$150+',
      kit: [part, { ...part, item: 'Seeds', detail: '' }],
      version: 2,
      countsFrom: '2026-11-03T12:00:00Z',
      drawing: { id: 7, status: 'announced' },
      cutOff: '2026-12-01T05:00:00Z',
      next: {
        name: 'A greenhouse',
        value: '$400',
        kit: [part],
        version: 3,
        countsFrom: '2026-12-01T05:00:00Z',
      },
    };
    const others = [
      { ...prize, landingPage: 'fresh-sips', name: 'Sips', drawing: null, next: null },
      { ...prize, landingPage: 'plants', name: 'Plants', drawing: null, cutOff: null, next: null },
      {
        ...prize,
        landingPage: 'tea',
        name: 'Tea',
        drawing: { id: 9, status: 'announced' },
        cutOff: null,
        next: null,
      },
      {
        ...prize,
        landingPage: 'wool',
        name: 'Wool',
        drawing: { id: 10, status: 'sealed' },
        cutOff: null,
        next: null,
      },
      {
        ...prize,
        landingPage: 'bees',
        name: 'Bees',
        drawing: { id: 8, status: 'drawn' },
        countsFrom: '1970-01-01T00:00:00Z',
        next: null,
      },
    ];
    server.use(answering('', { ...first, text, versions: [first], prizes: [prize, ...others] }));
    await renderPath('/rules');
    const heading = await screen.findByRole('heading', { name: 'What can be won' });
    const words = heading.parentElement!.textContent;
    expect(words).toContain(
      'Garden Bag EssentialsWorth $150+ at retail, in the drawing of November 2026. ' +
        'The drawing is announced, with the entries from before December 1, 2026 at 12:00 AM EST.' +
        'Trowel: Steel, $35.50Seeds, $35.50' +
        'Version 2 of this raffle says so since November 3, 2026.' +
        'From December 1, 2026 on: A greenhouse, worth $400 at retail.Trowel: Steel, $35.50' +
        'Version 3 of this raffle will say so from then on.',
    );
    expect(words).toContain('Entries from before December 1, 2026 at 12:00 AM EST count.');
    expect(words).toContain('The announcement of the drawing will say until when entries count.');
    expect(words).toContain('The drawing is announced. Entries count until its list is frozen.');
    expect(words).toContain('Its list of entries is final. Later entries count for the next');
    expect(words).toMatch(/Version 2 of this raffle says so\.$/);
    expect(screen.getByRole('link', { name: 'has been drawn' })).toHaveAttribute(
      'href',
      '/drawings/8',
    );
    expect(screen.getByRole('link', { name: 'Plants' })).toHaveAttribute('href', '/plants');
    expect(screen.getByRole('link', { name: 'Version 3 of this raffle' })).toHaveAttribute(
      'href',
      '/api/raffles/garden-bag/versions/3',
    );
  });

  it('says that nothing can be won', async () => {
    server.use(answering('', { ...first, text, versions: [first], prizes: [] }));
    await renderPath('/rules');
    expect(await screen.findByText(/No raffle is open now/)).toBeInTheDocument();
  });

  it('shows one version, and leads to the rules of this month', async () => {
    server.use(answering('/2', { ...second, text }));
    await renderPath('/rules/2');
    expect(await screen.findByRole('heading', { name: 'Version 2' })).toBeInTheDocument();
    expect(screen.queryByText(/These are the rules of this month/)).not.toBeInTheDocument();
    expect(
      screen.getByRole('link', { name: 'See the rules of this month and all versions' }),
    ).toHaveAttribute('href', '/rules');
  });

  it('says that a version is unknown', async () => {
    server.use(refusing('/api/rules/9', 404, { error: 'Not found', code: 'not_found' }));
    await renderPath('/rules/9');
    expect(await screen.findByText(/There is no such version of the rules/)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(http.get('*/api/rules', () => HttpResponse.error()));
    await renderPath('/rules');
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not reach Tombola');
    server.use(answering('', { ...first, text, versions: [first] }));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Version 1' })).toBeInTheDocument();
  });
});

describe('the rules as they were prerendered', () => {
  const stored = readFileSync('../crates/domain/drawing/src/rules/official_rules.txt', 'utf8');
  const printed = renderToStaticMarkup(<LegalText document={terms} />);
  const title = () => screen.getByRole('heading', { level: 1, name: 'Official rules' });

  it('are there before the versions, and stay if they are those of this month', async () => {
    const numbers = '\n## Numbers of this site\n\nYou can get 36 entries free.\n';
    server.use(answering('', { ...first, text: stored + numbers, versions: [first] }));
    render(<RulesPage printed={printed} />);
    expect(screen.getByRole('heading', { name: 'In short' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Versions' })).toBeInTheDocument();
    const before = title();
    await screen.findByRole('heading', { name: 'Version 1' });
    expect(title()).toBe(before);
    expect(screen.getByText('You can get 36 entries free.')).toBeInTheDocument();
  });

  it.each([
    ['another sentence', stored.replace('Use your own number.', 'Use your own number, please.')],
    ['a sentence less', stored.replace('Use your own number.', '')],
  ])('give way to those of this month: %s', async (_, text) => {
    server.use(answering('', { ...first, text, versions: [first] }));
    render(<RulesPage printed={printed} />);
    await screen.findByRole('heading', { name: 'Version 1' });
    expect(screen.queryByRole('heading', { name: 'In short' })).not.toBeInTheDocument();
    expect(title()).toBeInTheDocument();
  });

  it('stay if the versions do not arrive', async () => {
    server.use(http.get('*/api/rules', () => HttpResponse.error()));
    render(<RulesPage printed={printed} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not reach Tombola');
    expect(screen.getByRole('heading', { name: 'Odds' })).toBeInTheDocument();
  });
});

describe('the text of a version', () => {
  it('has contents that lead to its sections', () => {
    render(<RulesText text={text} more={[{ id: 'version', heading: 'Versions' }]} />);
    const [list] = screen.getAllByRole('navigation', { name: 'Contents' });
    const links = within(list!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#sponsor', '#version']);
    expect(document.getElementById('sponsor')).toHaveTextContent('Sponsor');
  });

  it('has headings, paragraphs, lists and links to pages of this site', () => {
    render(<RulesText text={text} />);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Official rules');
    expect(screen.getByRole('heading', { level: 2, name: 'Sponsor' })).toBeInTheDocument();
    expect(screen.getByText('Be fair.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '/contact' })).toHaveAttribute('href', '/contact');
    expect(
      screen
        .getAllByRole('listitem')
        .map((item) => item.textContent)
        .slice(-2),
    ).toEqual(['one', 'two']);
  });

  it('shows markup as text, and links nothing else', () => {
    render(<RulesText text={'<b>Honey</b> (//evil) (javascript:alert) (https://x.example)'} />);
    expect(screen.getByText(/<b>Honey<\/b>/)).toBeInTheDocument();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });
});
