import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { hydrateRoot } from 'react-dom/client';
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pages } from '../../entries/prerender';
import { assets } from '../../testing/site/assets';
import { refusing, server } from '../../testing/server';
import { fillTemplate } from '../../testing/site/fillTemplate';
import { raffleOf } from '../../testing/site/raffles';
import { renderPath } from '../../testing/site/renderPath';
import { forgetEntrant } from '../features/success/yourEntry/yourData/traces';
import { ALREADY_IN, forgetYourPage, showWayBack, yourPage } from '../lib/yourPage';
import { WayBack } from './WayBack';

const PAGE = '/fresh-sips/success/42';
const entered = (path = PAGE) => (document.cookie = `your_page=${path}; Path=/`);
const link = () => document.querySelector<HTMLAnchorElement>('[data-way-back]');

afterEach(() => {
  forgetYourPage();
  document.body.replaceChildren();
});

const built = pages(assets).map(
  ({ route, html }) => [route, fillTemplate(html, raffleOf('fresh-sips'))] as const,
);
const leadsBack = built.filter(([, html]) => html.includes('data-way-back'));

describe('the way back to the own page', () => {
  it("is on each page of a raffle, of a friend's link, of a text's link, and on the list of raffles", () => {
    const expected = built
      .map(([route]) => route)
      .filter((route) =>
        /^\/(\{raffle\}|(\{raffle\}\/)?ref\/\{code\}|welcome|planter\/.*)?$/.test(route),
      );
    expect(leadsBack.map(([route]) => route).sort()).toEqual(expected.sort());
    for (const [route, html] of leadsBack) {
      expect(html.includes(assets.wayBack) || html.includes(assets.boot), route).toBe(true);
    }
  });

  it.each(leadsBack)('%s shows it before React, to who entered alone', (_route, html) => {
    document.body.innerHTML = html.split('</head>')[1] ?? '';
    expect(link()).not.toBeVisible();
    showWayBack();
    expect(link()).not.toBeVisible();
    entered();
    showWayBack();
    expect(link()).toBeVisible();
    expect(link()).toHaveAttribute('href', PAGE);
    expect(document.body).not.toHaveTextContent('You were referred');
  });

  it.each([
    'https://evil.example/a/success/1',
    '//evil.example/success/1',
    'javascript:alert(1)',
    '/fresh-sips/success/1/../../admin',
    '',
  ])('leads nowhere else, whoever set the cookie: %s', (path) => {
    entered(path);
    expect(yourPage()).toBeUndefined();
  });

  it('React takes it over as it stands', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML = renderToString(<WayBack />);
    entered();
    showWayBack();
    const before = link();
    act(() => void hydrateRoot(root, <WayBack />));
    expect(link()).toBe(before);
    expect(link()).toHaveAttribute('href', PAGE);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it("takes the place of the greeting on a friend's link, which may be one's own", async () => {
    entered();
    await renderPath('/garden-bag/ref/CDFG3467');
    expect(screen.getByText(ALREADY_IN)).toBeVisible();
    expect(screen.queryByText(/You were referred/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to your page' })).toHaveAttribute('href', PAGE);
    expect(screen.getByLabelText('Phone number')).toBeVisible(); // for a second person
  });

  it('ends with the entry', async () => {
    entered();
    forgetEntrant();
    expect(yourPage()).toBeUndefined();
    entered();
    server.use(refusing('/api/users/:id', 404, { error: 'Not found', code: 'not_found' }));
    await renderPath(PAGE);
    await screen.findByRole('heading', { name: 'We cannot find this entry' });
    expect(yourPage()).toBeUndefined();
  });

  it('is not there for others', () => {
    render(<WayBack />);
    expect(link()).not.toBeVisible();
  });
});
