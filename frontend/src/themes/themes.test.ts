import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { raffles } from '../testing/site/raffles';
import { generic } from './';
import { contact, privacy, terms } from './legal';
import { GenericScene, scenes } from './scenes';

const publicFile = (name: string) => fileURLToPath(new URL(`../../public/${name}`, import.meta.url));

describe('the generic words', () => {
  it('share the link, once, in email and text', () => {
    for (const text of [generic.share.emailBody, generic.share.textBody]) {
      expect(text.split('{LINK}')).toHaveLength(2);
    }
  });

  it.each(Object.values(generic.pages).map((page) => [page.metaTitle, page] as const))(
    'of %s fit a search result',
    (_title, { metaTitle, metaDescription }) => {
      const filled = (text: string) =>
        text
          .replace('{{ raffle.name }}', raffles['garden-bag']!.name)
          .replace('{{ raffle.value }}', '$150+');
      expect(`${metaTitle} | Tombola`.length).toBeLessThanOrEqual(60);
      expect(filled(metaDescription).length).toBeLessThanOrEqual(155);
    },
  );
});

describe('the images for link previews', () => {
  it.each(['generic', 'tool-bag', 'cocktail', 'kitchen-herbs', 'starter-kit'])(
    'of %s loads fast',
    (name) => {
      expect(existsSync(publicFile(`og-${name}.png`))).toBe(true);
      expect(statSync(publicFile(`og-${name}.png`)).size).toBeLessThanOrEqual(60_000);
    },
  );
});

describe.each(Object.entries({ ...scenes, generic: GenericScene }))('%s scene', (name, Scene) => {
  const markup = renderToStaticMarkup(createElement(Scene));

  it('is small, decorative and scales', () => {
    expect(new TextEncoder().encode(markup).length).toBeLessThanOrEqual(6_000);
    expect(markup).toMatch(/^<svg [^>]*viewBox="0 0 640 400"[^>]*>/);
    expect(markup).toMatch(/^<svg [^>]*aria-hidden="true" focusable="false"/);
    expect(markup).not.toMatch(/^<svg [^>]*\b(?:width|height)=/);
  });

  it('takes every color from the palette and no style attribute', () => {
    expect(markup).not.toMatch(/\sstyle="|#[0-9a-f]{3,8}"|rgb\(|hsl\(/i);
  });

  it('keeps its ids to itself and refers to no other', () => {
    const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    const references = [...markup.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id);
    expect(ids.filter((id) => !id?.startsWith(`${name}-`))).toEqual([]);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

it('the scenes are those that a raffle can have', () => {
  const file = fileURLToPath(
    new URL('../../../crates/domain/raffle/src/content/look.rs', import.meta.url),
  );
  const [, names = ''] = /pub enum Scene \{(.*?)\n\}/s.exec(readFileSync(file, 'utf8')) ?? [];
  const kebab = [...names.matchAll(/^ {4}(\w+),/gm)].map(([, name = '']) =>
    name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(),
  );
  expect(Object.keys(scenes)).toEqual(kebab);
});

describe('legal pages', () => {
  it('state the free way in and how to stop texts', () => {
    expect(terms.intro).toContain('No purchase is necessary');
    expect(terms.sections.map(({ heading }) => heading)).toContain('How to enter free');
    expect(JSON.stringify(privacy)).toContain('STOP');
    expect(JSON.stringify(contact)).toContain('STOP');
  });

  it.each([terms, privacy, contact])('$title has no empty section', ({ sections }) => {
    expect(sections.filter(({ heading, paragraphs }) => !heading || paragraphs.length === 0)).toEqual([]);
  });

  it('name no prize in the text of the rules, but say where each stands', () => {
    const words = JSON.stringify(terms);
    expect(Object.values(raffles).filter(({ name }) => words.includes(name))).toEqual([]);
    expect(words).toContain('/rules#what-can-be-won');
  });
});
