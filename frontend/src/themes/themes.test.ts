import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { generic, themes } from './';
import { contact, privacy, terms } from './legal';

const link = 'https://raffle.example/garden-bag/ref/ABCD2345';
const publicFile = (name: string) => fileURLToPath(new URL(`../../public/${name}`, import.meta.url));

describe.each(Object.entries(themes))('%s', (key, theme) => {
  it('is filed under its own key', () => {
    expect(theme.key).toBe(key);
  });

  it('holds 5 to 7 items worth what it claims', () => {
    const total = theme.kit.reduce((sum, { value }) => sum + value, 0);
    expect(theme.kit.length).toBeGreaterThanOrEqual(5);
    expect(theme.kit.length).toBeLessThanOrEqual(7);
    expect(theme.totalValue).toBe('$150+');
    expect(total).toBeGreaterThanOrEqual(150);
    expect(total).toBeLessThan(200);
  });
});

describe('prize names and subjects', () => {
  it('are the exact ones', () => {
    expect(Object.values(themes).map(({ name }) => name)).toEqual([
      'Garden Bag Essentials',
      'Fresh Sips Mixology Kit',
      'Kitchen Garden Essentials',
      'Sustainable Living Starter Kit',
    ]);
    expect(generic.name).toBe(themes['garden-bag'].name);
    expect(generic.pages.referral.title).toBe(themes['garden-bag'].title);
    expect(themes['garden-bag'].emailSubject).toBe('Amazing Raffle - Win Premium Supplies!');
    expect(themes['fresh-sips'].emailSubject).toBe(
      'Free Monthly Fresh Sips Mixology Kit - Win $150+ in Supplies!',
    );
  });

  it('date the next winner in the kitchen garden email', () => {
    expect(themes['kitchen-garden'].emailBody(link, 'August 1st, 2025')).toContain(
      'The next winner is announced August 1st, 2025.',
    );
  });
});

const everyTheme = [...Object.values(themes), generic];

describe.each(everyTheme.map((theme) => [theme.key, theme] as const))('%s shares', (_key, theme) => {
  it('the link, once, in email and text', () => {
    expect(theme.emailBody(link, 'August 1st, 2025').split(link)).toHaveLength(2);
    expect(theme.textBody(link).split(link)).toHaveLength(2);
  });

  it('a preview image of 1200 by 630 that loads fast', () => {
    expect(existsSync(publicFile(theme.ogImage))).toBe(true);
    expect(statSync(publicFile(theme.ogImage)).size).toBeLessThanOrEqual(60_000);
  });
});

describe.each(everyTheme.map((theme) => [theme.key, theme] as const))('%s scene', (key, theme) => {
  const markup = renderToStaticMarkup(createElement(theme.Scene));

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
    expect(ids.filter((id) => !id?.startsWith(`${key}-`))).toEqual([]);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

const pages = [...Object.values(themes), ...Object.values(generic.pages)];

describe.each(pages.map((page) => [page.metaTitle, page] as const))('meta of %s', (_title, page) => {
  it('fits a search result', () => {
    expect(`${page.metaTitle} | Tombola`.length).toBeLessThanOrEqual(60);
    expect(page.metaDescription.length).toBeLessThanOrEqual(155);
  });
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

  it('name every prize in the rules', () => {
    const prizes = JSON.stringify(terms);
    expect(Object.values(themes).filter(({ name }) => !prizes.includes(name))).toEqual([]);
  });
});
