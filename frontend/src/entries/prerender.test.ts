import { describe, expect, it } from 'vitest';
import { routes } from '../site/app/routes';
import { assets } from '../testing/site/assets';
import { fillTemplate } from '../testing/site/fillTemplate';
import { ended, raffleOf, raffles } from '../testing/site/raffles';
import { scenes } from '../themes/scenes';
import { checked } from './places';
import { adminPages, notFoundPage, pages, pictures, preview } from './prerender';

const all = [...pages(assets), notFoundPage(assets)];
/** What is seen of a page while its raffle and others are open; a template is not. */
const seen = (html: string) => {
  const block = /\{% if [\w.]+ %\}((?:(?!\{% if).)*?)\{% else %\}(?:(?!\{% if).)*?\{% endif %\}/gs;
  let rest = html;
  while (block.test(rest)) rest = rest.replace(block, '$1');
  return rest.replace(/<template .*<\/template>/s, '');
};
const html = (route: string) => all.find((page) => page.route === route)?.html ?? '';

describe('the prerendered pages', () => {
  it('are those of the route table of the spec', () => {
    const others = [
      '/',
      '/ref/{code}',
      '/success/{userId}',
      '/success/{userId}/your-entry',
      '/welcome',
      '/terms',
      '/privacy',
      '/contact',
      '/drawings',
      '/drawings/{drawingId}',
      '/claim',
      '/claim/{token}',
      '/rules',
      '/rules/{version}',
      '/planter/{trackingId}',
    ];
    const of = (kind?: string) =>
      pages(assets)
        .filter((page) => page.of === kind)
        .map(({ route }) => route);
    expect(of('raffle').sort()).toEqual([
      '/{raffle}',
      '/{raffle}/ref/{code}',
      '/{raffle}/success/{userId}',
      '/{raffle}/success/{userId}/your-entry',
    ]);
    expect([...of('default'), ...of('link'), ...of()].sort()).toEqual(others.sort());
  });

  it.each(all)('$route leaves the head to the server, once', ({ html, title, description }) => {
    const [head = '', body = ''] = html.split('</head>');
    expect(head.split('<!--head-->')).toHaveLength(2);
    expect(body).not.toContain('<!--head-->');
    expect(head).not.toMatch(/<title|name="description"/);
    expect(title).toMatch(/\S/);
    expect(description).toMatch(/\S/);
  });

  it.each([...all, ...adminPages(assets)])(
    '$route may load from other sites only what its entry needs',
    ({ html, sources }) => {
      const runs = (name: string) => html.includes(`/assets/${name}.js`);
      const needed = !runs('tracking') ? 'own' : runs('site') ? 'payments' : 'ads';
      expect(sources).toBe(needed);
    },
  );

  it('that the client can show without loading a document share a policy', () => {
    // The others lead to no other screen, nor does any to them.
    const shared = routes.filter(({ page }) => !['claim', 'your-entry', 'rules'].includes(page));
    const shown = all.filter(({ route }) => shared.some(({ path }) => path === route));
    expect(shown).toHaveLength(shared.length);
    expect(new Set(shown.map(({ sources }) => sources))).toEqual(new Set(['payments']));
  });

  it.each(all)('$route has no style attribute, which the CSP would block', ({ html }) => {
    expect(html).not.toMatch(/\sstyle=/);
  });

  it.each(all)('$route loads nothing from another host', ({ html }) => {
    expect(html).not.toMatch(/(src|href|srcset|action|data-scripts)="(https?:)?\/\//);
    expect(html).not.toMatch(/url\((?!#)/);
  });

  it.each(all)('$route has one h1 and skips no level of headings', ({ html }) => {
    const levels = [...seen(html).matchAll(/<h([1-6])[\s>]/g)].map((match) => Number(match[1]));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    levels.reduce((before, level) => {
      expect(level - before).toBeLessThanOrEqual(1);
      return level;
    });
  });

  it.each(all)('$route lets people skip to its content and find the small print', ({ html }) => {
    expect(html).toMatch(/<a class="skip" href="#main">/);
    expect(html).toContain('id="main"');
    for (const path of ['/drawings', '/rules', '/privacy', '/contact']) {
      expect(html).toContain(`href="${path}"`);
    }
  });

  it.each(all.filter(({ route }) => /^\/(|privacy|contact|welcome|404)$/.test(route)))(
    '$route loads the application only where there is a form',
    ({ route, html }) => {
      expect(html.includes('data-scripts')).toBe(route === '/');
    },
  );

  it.each(all)(
    '$route is counted unless it is a legal page, a claim, settings or nothing',
    ({ route, html }) => {
      const asksAboutAds = route === '/privacy'; // not counted, but the answer is given there
      expect(
        html.includes(
          '<script defer src="/assets/tracking.js" data-ads="/assets/ads.js" data-pixel="/assets/pixel.js">',
        ),
      ).toBe(
        asksAboutAds ||
          !/^\/(terms|contact|404|claim|claim\/\{token\}|rules|rules\/\{version\})$|\/your-entry$/.test(
            route,
          ),
      );
      expect(html.includes('data-ads-choice')).toBe(asksAboutAds);
    },
  );

  it('for signing up can greet a friend: the boot script knows whether there is one', () => {
    const signUp = routes.filter(({ page }) => page === 'sign-up').map(({ path }) => path);
    for (const { route, html } of all) {
      expect(seen(html).includes('Bonus Entry! You were referred by someone')).toBe(
        signUp.includes(route),
      );
    }
  });

  it('for signing up have one place for the last winner, which is empty', () => {
    for (const { route, html } of all) {
      const isSignUp = routes.some(({ path, page }) => path === route && page === 'sign-up');
      const places = seen(html).split('<div class="last-winner"></div>').length - 1;
      expect(places, route).toBe(isSignUp ? 1 : 0);
    }
  });

  it("behind a friend's link greet before any script runs", () => {
    for (const { route, html } of all) {
      expect(/^[^>]*>\s*<html[^>]* data-referred/.test(html), route).toBe(/\/ref\//.test(route));
    }
  });

  it('for success name all the files that they need later, and have a boot script of their own', () => {
    for (const { route, html } of all) {
      const isSuccess = route.endsWith('/success/{userId}');
      expect(html.includes('<script>/* boot of success */</script>')).toBe(isSuccess);
      expect(html.includes('data-hydrate="when-idle"')).toBe(isSuccess);
    }
    expect(html('/{raffle}/success/{userId}')).toContain(
      'data-scripts="/assets/site.js /assets/store.js /assets/success.js"',
    );
  });

  it.each(all)(
    '$route has templates only for figures, and nothing of a person in them',
    ({ route, html }) => {
      const template = html.match(/<template .*<\/template>/s)?.[0] ?? '';
      expect(template !== '').toBe(route.endsWith('/success/{userId}'));
      expect(html.replace(template, '')).not.toMatch(/EARLY_|\/\/early/); // placeholders are never seen
      if (!template) return;
      expect(template).toContain('<span class="phone">EARLY_PHONE</span>');
      expect(template).toMatch(/>early\/(\{\{ raffle\.key \}\}\/)?ref\/EARLY_CODE<\/textarea>/);
      // The server writes the address into the texts of a raffle.
      const [mail, text] = route.startsWith('/{raffle}')
        ? ['body={{ raffle.emailBody|encoded }}"', '{{ raffle.textBody|encoded }}"']
        : ['https%3A%2F%2Fearly%2Fref', 'https%3A%2F%2Fearly%2Fref'];
      expect(/href="mailto:[^"]*"/.exec(template)?.[0]).toContain(mail);
      expect(/href="sms:\?body=[^"]*"/.exec(template)?.[0]).toContain(text);
      const figures = [...template.matchAll(/<dd class="figure"[^>]*>(-\d+)</g)];
      expect([...new Set(figures.map(([, figure]) => figure))]).toEqual(['-901', '-902', '-903']);
    },
  );

  it.each([
    ['/drawings', 'ol{color:blue}', '/assets/site.js /assets/store.js /assets/drawings.js'],
    ['/claim', 'dl{color:green}', '/assets/site.js /assets/claim.js'],
  ])(
    'of %s start at once too, without words of a raffle, and have own styles',
    (start, css, files) => {
      for (const { route, html } of all) {
        const isOne = route.startsWith(start);
        expect(html.includes(`data-scripts="${files}" data-hydrate="now"`)).toBe(isOne);
        expect(html.includes(`<style>body{color:red}${css}</style>`)).toBe(isOne);
      }
      expect(html('/{raffle}')).toContain('<style>body{color:red}</style>');
    },
  );

  it('behind success start at once too, and have own styles', () => {
    const page = html('/{raffle}/success/{userId}/your-entry');
    expect(page).toContain(
      'data-scripts="/assets/site.js /assets/store.js /assets/your-entry.js" data-hydrate="now"',
    );
    expect(page).toContain('<style>body{color:red}dd{color:pink}</style>');
    expect(page).not.toContain('/success/1'); // whose page it is, nobody knows yet
  });

  it('of a claim let nobody learn the secret in their address', () => {
    for (const { route, html, index, canonical } of all) {
      const isClaim = route === '/claim' || route === '/claim/{token}';
      expect(html.includes('<meta name="referrer" content="no-referrer">')).toBe(isClaim);
      if (isClaim) expect({ index, canonical }).toEqual({ index: false, canonical: undefined });
    }
  });

  it('about drawings each have an address of their own', () => {
    const canonical = (route: string) => all.find((page) => page.route === route)?.canonical;
    expect(canonical('/{raffle}')).toBe('/{{ raffle.key }}');
    expect(canonical('/{raffle}/ref/{code}')).toBeUndefined(); // the code would be lost
    expect(canonical('/drawings')).toBe('/drawings');
    expect(canonical('/drawings/{drawingId}')).toBeUndefined();
    expect(new Set(all.map(({ file }) => file)).size).toBe(all.length);
  });

  it('behind the links of texts have a script of their own, and say under which name they are counted', () => {
    const page = all.find(({ route }) => route === '/planter/{trackingId}')!;
    expect(page.html).toMatch(
      /tracking\.js"[^>]*><\/script><script defer src="\/assets\/planter\.js">/,
    );
    expect(page.html).toContain(' data-counted-as="{{ raffle.trackingName }}"');
    expect(page.html).not.toContain('data-scripts');
    expect(page.canonical).toBeUndefined();
  });

  it('have places for all words of a raffle', () => {
    const page = html('/{raffle}');
    for (const name of ['title', 'description', 'value', 'palette', 'offerScene', 'json']) {
      expect(page).toContain(`{{ raffle.${name} }}`);
    }
    // With a date and without, and once it has ended, with other raffles and without.
    expect(page.match(/\{% for part in raffle\.parts %\}<li>/g)).toHaveLength(4);
    expect(page).toContain('<span class="kit-value">{{ part.value }}</span>');
    expect(html('/welcome')).toMatch(/\{% for raffle in raffles %\}<li [^%]*<\/li>\{% endfor %\}/);
    expect(html('/404')).toMatch(/\{% for raffle in raffles %\}<li>[^%]*<\/li>\{% endfor %\}/);
    expect(all.map(({ html }) => html).join('')).not.toMatch(/987[,%]/); // the amounts that become places
  });

  const kinds = ['/{raffle}', '/{raffle}/ref/{code}', '/{raffle}/success/{userId}'];

  it.each([...kinds, '/planter/{trackingId}'])(
    'of a raffle that has ended say so at %s, and lead to its drawings and to what is open',
    (route) => {
      const { title, description } = all.find((page) => page.route === route)!;
      const bag = ended('garden-bag', 'fresh-sips', 'kitchen-garden');
      const page = fillTemplate(html(route), bag);
      const [, root = ''] = /id="root">(.*?)<(?:script|\/body)/s.exec(page) ?? [];
      expect(root.split('This raffle has ended')).toHaveLength(2);
      expect(root).toContain('<a href="/drawings?raffle=garden-bag">See its drawings</a>');
      for (const { key, name } of bag.openRaffles)
        expect(root).toMatch(new RegExp(`<a href="/${key}" [^>]*>${name}</a>`));
      expect(root).not.toMatch(/<form|<button|referral-link|Enter free|is free and/i);
      expect(root.match(/<li><span class="kit-item">/g) ?? []).toHaveLength(
        route.includes('success') ? 0 : bag.kit.length,
      );
      expect(fillTemplate(description, bag)).toMatch(/^This raffle has ended\./);
      if (kinds.includes(route))
        expect(fillTemplate(title, bag)).toMatch(/^Garden Bag Essentials: this raffle has ended/);

      const last = fillTemplate(html(route), ended('garden-bag'));
      expect(last).toContain('No raffle is open now</h2>');
      expect(last).not.toContain('data-takes-code');
      expect(fillTemplate(html(route), raffleOf('garden-bag'))).not.toContain('has ended');
    },
  );

  it('say so when no raffle is open', () => {
    const none = ended('garden-bag');
    expect(fillTemplate(html('/welcome'), none)).toContain('No raffle is open now.');
    expect(fillTemplate(html('/404'), none)).not.toContain('Here are our raffles');
    expect(seen(html('/welcome'))).not.toContain('No raffle is open now.');
  });

  it('that list all raffles do not say what they are worth', () => {
    const { description } = all.find(({ route }) => route === '/welcome')!;
    expect(description).not.toMatch(/\$|kit/);
  });

  it('hold the words of no raffle', () => {
    const legal = ['/terms', '/rules', '/privacy', '/contact']; // the rules name their prizes
    for (const { html, route } of all.filter((page) => !legal.includes(page.route))) {
      for (const { key, name } of Object.values(raffles)) {
        expect(html.includes(key) || html.includes(name), route).toBe(false);
      }
    }
  });

  it.each(['a{{b', 'a{%if%}', 'a{# b #}', '{{ raffle.name }}{{'])(
    'are not written where %s would be read as a place',
    (text) => {
      expect(() => checked(text)).toThrow('read as a place');
    },
  );

  it('come with the pictures that they can have', () => {
    expect(Object.keys(pictures())).toEqual(Object.keys(scenes));
    expect(pictures()['tool-bag']?.image).toBe('og-tool-bag.png');
    expect(pictures()['gift-box']?.image).toBe('og-generic.png');
  });

  it('have the rules once, under two addresses, with their text, a summary and anchors', () => {
    for (const route of ['/rules', '/terms']) {
      const page = all.find((each) => each.route === route)!;
      expect(page.canonical).toBe('/rules');
      expect(page.html.match(/<dt>/g)).toHaveLength(5);
      const anchors = [...page.html.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);
      expect(anchors).toContain('claiming');
      for (const id of anchors) expect(page.html).toContain(`id="${id}"`);
    }
    const text = (route: string) => seen(html(route)).replace(/<head>.*<\/head>/s, '');
    expect(text('/terms')).toBe(text('/rules'));
    expect(html('/rules/{version}')).not.toContain('class="printed"');
  });

  it('never put a phone number into an address', () => {
    expect(html('/{raffle}')).toMatch(/<form [^>]*method="post"/);
  });

  it.each(routes.filter(({ page }) => page === 'sign-up'))(
    '$path states the age and residence of the rules at the form',
    ({ path }) => {
      expect(html('/terms')).toContain(
        'You can enter if you live in the United States and are at least 18 years old',
      );
      expect(html(path)).toMatch(
        /<p class="note" id="victory-text">.*You must be 18 or older and live in the United States\. See the/,
      );
    },
  );

  it('say without JavaScript what can be won, where the rules are, and how to enter', () => {
    const page = html('/{raffle}');
    expect(page).toContain('>{{ raffle.title }}</h1>');
    expect(page).toMatch(/<noscript>.*JavaScript.*official rules.*<\/noscript>/);
    for (const route of ['/success/{userId}', '/claim/{token}']) {
      expect(html(route)).toMatch(/<noscript>.*JavaScript.*<\/noscript>/);
    }
    for (const route of ['/drawings', '/drawings/{drawingId}']) {
      expect(html(route)).toMatch(/<noscript>.*JavaScript.*href="\/api\/drawings".*<\/noscript>/);
    }
  });

  it("are for search engines unless they are somebody's own, or nothing", () => {
    for (const { route, index } of all) {
      const isOwn = /\{(userId|trackingId|token|code)\}(\/your-entry)?$|^\/claim$/.test(route);
      expect(index).toBe(!isOwn && route !== '/404');
    }
  });

  it('say beside the four raffles that a number is in one', () => {
    expect(html('/welcome')).toContain('One raffle per phone number.');
  });

  it('have the copy of the spec', () => {
    expect(seen(html('/404'))).toContain('404 Page Not Found</h1>');
    expect(html('/welcome')).toContain(
      'This is the main page. Visit our product landing pages to enter giveaways.',
    );
    expect(html('/{raffle}/success/{userId}')).toContain('Loading...');
  });
});

describe('the preview of a raffle', () => {
  const css = 'a{b:c}@media (scripting:none){.enter{display:none}}d{e:f}';
  const { signUp, success } = preview({ ...assets, css });

  it.each([signUp, success])('cannot run or be pressed, and has places for words', (html) => {
    expect(html).not.toMatch(/<script|<noscript|<template|EARLY_PHONE/);
    expect(html).toContain('<body inert>');
    expect(html).toContain('<style>a{b:c}d{e:f}</style>');
    const filled = fillTemplate(html, raffleOf('fresh-sips'));
    expect(filled).toContain('data-palette="mint"');
    expect(filled).not.toMatch(/\{[{%]/);
  });

  it('has the form of the one page, and figures on the other', () => {
    expect(signUp).toContain('<form');
    expect(success).toMatch(/<dd class="figure"[^>]*>4</);
  });
});

describe('the page of the console', () => {
  const [{ html, ...page } = all[0]!, setUp] = adminPages(assets);

  it('is not for search engines, and has no preview', () => {
    expect(page).toMatchObject({ route: '/admin', title: '%SITE_NAME% Admin', index: false });
    expect(page).not.toHaveProperty('image');
    expect(page).not.toHaveProperty('canonical');
  });

  it('is also at the address of the link that makes the first owner', () => {
    expect(setUp).toEqual({ ...page, html, route: '/admin/setup' });
  });

  it('says that it is loading, and what it needs without JavaScript', () => {
    expect(html).toContain('<p role="status">Loading...</p>');
    expect(html).toMatch(/<noscript>.*JavaScript.*<\/noscript>/);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('runs nothing inline but the boot script, and nothing but its own files', () => {
    expect(html).not.toMatch(/<style|\sstyle=/);
    expect(html.match(/<script>.*?<\/script>/g)).toEqual(['<script>/* boot */</script>']);
    expect([...html.matchAll(/\/assets\/([\w.]+)/g)].map(([, file]) => file)).toEqual([
      'admin.css',
      'admin.js',
      'admin.js',
      'preview.json',
    ]);
    expect(html.split('<!--head-->')).toHaveLength(2);
  });
});
