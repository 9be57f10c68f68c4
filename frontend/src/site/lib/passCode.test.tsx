import { beforeEach, expect, it } from 'vitest';
import { LINK_KEY } from './early';
import { passCode } from './passCode';
import { forget, remember } from './tabStorage';

const links = () => [...document.links].map((link) => link.getAttribute('href'));

beforeEach(() => {
  forget(LINK_KEY);
  history.replaceState(null, '', '/summer-box');
  document.body.innerHTML = '<a href="/garden-bag" data-takes-code></a><a href="/drawings"></a>';
});

it('leaves the links as they are without a friend', () => {
  passCode();
  expect(links()).toEqual(['/garden-bag', '/drawings']);
});

it("passes the code of a friend's link on", () => {
  history.replaceState(null, '', '/summer-box/ref/CDFG3467');
  passCode();
  expect(links()).toEqual([`${location.origin}/garden-bag/ref/CDFG3467`, '/drawings']);
});

it('passes on what the tab keeps of a link', () => {
  remember(LINK_KEY, '/ref/CDFG3467');
  passCode();
  expect(links()).toEqual([`${location.origin}/garden-bag/ref/CDFG3467`, '/drawings']);
});
