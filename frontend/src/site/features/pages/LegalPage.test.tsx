import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { generic } from '../../../themes';
import { contact, privacy, terms } from '../../../themes/legal';
import { planters } from '../../../testing/site/raffles';
import { matchPath } from '../../app/routes';
import { LegalPage } from './LegalPage';

const documents = [terms, privacy, contact].map((each) => [each.title, each] as const);
const plainPages = ['/privacy', '/contact'];

const section = (name: string) =>
  screen.getByRole('heading', { name }).closest<HTMLElement>('section')!;

describe('the settings of the site in the legal pages', () => {
  // The server replaces these tokens when it starts.
  it('the rules name the time zone of the site', () => {
    render(<LegalPage document={terms} />);
    expect(section('Entry period and drawing')).toHaveTextContent('(%SITE_TIME_ZONE%)');
    expect(document.body).not.toHaveTextContent('New York');
  });

  it('the privacy policy names the cookie as this server sets it', () => {
    render(<LegalPage document={privacy} />);
    expect(section('Cookies and storage')).toHaveTextContent('the cookie “%VISITOR_COOKIE%”');
    expect(document.body).not.toHaveTextContent('“visitor”');
  });

  it.each([
    ['the rules', terms, 'Sponsor'],
    ['the privacy policy', privacy, 'Who runs this site'],
  ])('%s name the sponsor, its address and the contact', (_title, document, heading) => {
    render(<LegalPage document={document} />);
    expect(section(heading)).toHaveTextContent('run by %SPONSOR_NAME%, %SPONSOR_ADDRESS% (“we”)');
    expect(section(heading)).toHaveTextContent('%SITE_NAME%');
    const address = within(section(heading)).getByRole('link', { name: '%CONTACT_EMAIL%' });
    expect(address).toHaveAttribute('href', 'mailto:%CONTACT_EMAIL%');
  });

  it('the contact page has the address, which opens a mail', () => {
    render(<LegalPage document={contact} />);
    const address = screen.getByRole('link', { name: '%CONTACT_EMAIL%' });
    expect(address).toHaveAttribute('href', 'mailto:%CONTACT_EMAIL%');
    expect(document.body).not.toHaveTextContent('hello@tombola.example');
  });
});

describe.each(documents)('%s', (_title, legal) => {
  it('links to every page that it names', () => {
    render(<LegalPage document={legal} />);
    const article = screen.getByRole('article');
    for (const link of within(article).queryAllByRole('link')) link.remove();
    const unlinked = [...article.querySelectorAll('p, li')].filter(({ textContent }) =>
      /contact page|past drawings|official rules|privacy policy|“ads”|%CONTACT/i.test(textContent),
    );
    expect(unlinked).toEqual([]);
  });

  it('links only to pages and sections that there are', () => {
    render(<LegalPage document={legal} />);
    for (const link of within(screen.getByRole('article')).queryAllByRole('link')) {
      const href = link.getAttribute('href') ?? '';
      const path = href.replace(/#.*/, '');
      if (href.startsWith('mailto:')) continue;
      if (path)
        expect(
          plainPages.includes(path) ||
            matchPath(path, 'garden-bag') ||
            path.split('/')[1]! in planters,
          href,
        ).toBeTruthy();
      else expect(document.querySelector(href), href).not.toBeNull();
    }
  });
});

describe('what the summary of the rules says', () => {
  // Each fact is one of the text below it.
  it.each([
    ['Each has one prize a month.', 'There is one prize per raffle and month.'],
    ['what it is worth stand on the page of the raffle', 'what each item is worth at retail'],
    [
      'live in the United States, are at least 18',
      'live in the United States and are at least 18 years old',
    ],
    [
      'neither work for us nor live with',
      'People who work for us, and people who live with them, cannot enter.',
    ],
    ['the code if we text you one', 'If the page then asks for a code, type the one that we text'],
    ['One raffle at a time per phone number', 'A phone number is in one raffle at a time.'],
    ['You never have to buy anything', 'No purchase is necessary to enter or win.'],
    [
      'the same chance as a free one',
      'A bought entry has the same chance in a drawing as a free one.',
    ],
    ['an entry at random, and anyone can check', 'Anyone can check a drawing.'],
    ['We text the number it belongs to, or call.', 'If we cannot text your number, we call it.'],
    [
      '14 days to claim',
      'You have 14 days to send your details. They begin when our text is delivered',
    ],
  ])('%s: so do the rules', (line, rule) => {
    render(<LegalPage document={terms} />);
    expect(screen.getByRole('region', { name: 'In short' })).toHaveTextContent(line);
    expect(screen.getByRole('article')).toHaveTextContent(rule);
  });
});

describe('the contents', () => {
  it.each([terms, privacy])('of $title lead to every section', ({ sections, ...rest }) => {
    render(<LegalPage document={{ ...rest, sections }} />);
    for (const nav of screen.getAllByRole('navigation', { name: 'Contents' })) {
      const links = within(nav).getAllByRole('link');
      expect(links.map(({ textContent }) => textContent)).toEqual(
        sections.map(({ heading }) => heading),
      );
    }
  });

  it('are left out where the text is short', () => {
    render(<LegalPage document={contact} />);
    expect(screen.queryByRole('navigation', { name: 'Contents' })).not.toBeInTheDocument();
  });
});

describe('what the pages promise', () => {
  const words = JSON.stringify([terms, privacy, contact, planters, generic]);

  it.each([
    ['a deadline for an answer or a call', /within (a few|\d+) (days|hours)/i],
    ['a time at which every drawing happens', /(draw|drawn)[^.]* on the 1st/i],
    ['a new winner', /draw again/i],
    ['a yearly package', /once a year|day of the year when it is drawn|wins it all/i],
    ['an answer to a reply', /reply to the text/i],
  ])('is not %s, which nothing here keeps', (_, promise) => {
    expect(words).not.toMatch(promise);
  });

  it.each([
    ['how long a claim waits', 'claiming', 'You have 14 days to send your details.'],
    ['that alternates follow in order', 'claiming', 'goes to the next alternate, in the order'],
    ['how to object', 'rejection', 'you have 7 days to object on that page, once'],
    ['what is published', 'record', 'first name and state are there only if you agree'],
  ])('is, in the rules, %s', (_, id, promise) => {
    render(<LegalPage document={terms} />);
    expect(document.getElementById(id)).toHaveTextContent(promise);
  });

  it('is, in the policy, who sees the details of a claim and until when', () => {
    render(<LegalPage document={privacy} />);
    const claims = document.getElementById('claims');
    expect(claims).toHaveTextContent('Only the owners of this site can see them, and each look');
    expect(claims).toHaveTextContent('erase them 90 days after the claim has ended');
  });

  it('is, in the policy, when visits and what identifies a browser are deleted', () => {
    render(<LegalPage document={privacy} />);
    // Kept by crates/domain/privacy/src/retention.rs.
    const keeping = section('How long we keep it');
    expect(keeping).toHaveTextContent(
      /IP addresses, user agents and fingerprints.*after %RETENTION_DAYS% days/,
    );
    expect(keeping).toHaveTextContent('single visits: after 25 months');
  });

  it('is that a winner is never asked to pay', () => {
    render(<LegalPage document={terms} />);
    expect(section('How winners hear from us')).toHaveTextContent(
      'We never ask a winner for a fee, a card number, a bank account, a tax number',
    );
  });

  it('is that a drawing takes what is in the raffle when the entry period ends', () => {
    render(<LegalPage document={terms} />);
    // Kept by the tests of the cut-off in crates/testing/contracts.
    expect(section('Entry period and drawing')).toHaveTextContent(
      'The drawing includes every eligible entry that was in the raffle by then. Later entries count for the next drawing.',
    );
  });

  it('is that a flagged sign-up brings no extra entry', () => {
    render(<LegalPage document={terms} />);
    // Kept by the tests of flags in crates/testing/contracts.
    expect(section('Disqualification')).toHaveTextContent(
      'While a sign-up is flagged, whoever invited it does not have the extra entry.',
    );
  });

  it('is that a package in a text is an example', () => {
    render(<LegalPage document={terms} />);
    expect(section('Packages in our texts')).toHaveTextContent('is not a prize under these rules');
  });

  it('is that people get a copy and delete their data on their page, or by asking', () => {
    render(<LegalPage document={privacy} />);
    const choices = section('Your choices');
    expect(choices).toHaveTextContent(
      'follow “Your entry and your data” in the browser that you entered with, and open “Your data”',
    );
    expect(choices).toHaveTextContent('Its link works for 72 hours');
    expect(within(choices).getByRole('link')).toHaveAttribute('href', 'mailto:%CONTACT_EMAIL%');
  });

  it('is, in the policy, what a deletion leaves, where the page of an entrant links to', () => {
    render(<LegalPage document={privacy} />);
    const deleting = document.getElementById('deleting');
    expect(deleting).toHaveTextContent('for 13 months, a keyed hash of your phone number');
    expect(deleting).toHaveTextContent('the hashes in published lists of drawings');
    expect(deleting).toHaveTextContent('if you replied STOP, that as such a hash too');
  });
});

describe('the words of the legal pages', () => {
  it.each(documents)('of %s are American English', (_title, legal) => {
    expect(JSON.stringify(legal)).not.toMatch(/colour|behaviour|favourite/i);
  });

  it('say that message and data rates may apply', () => {
    expect(JSON.stringify(privacy)).toContain('Message and data rates may apply.');
  });
});
