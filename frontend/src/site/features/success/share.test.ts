import { describe, expect, it } from 'vitest';
import { generic, themes } from '../../../themes';
import { mailHref, referralLink, smsHref } from './share';
import { variantOf } from './variants';

const origin = 'https://tombola.example';

describe('sharing', () => {
  it.each([
    [generic, 'https://tombola.example/ref/CDFG3467'],
    [themes['garden-bag'], 'https://tombola.example/garden-bag/ref/CDFG3467'],
    [themes['fresh-sips'], 'https://tombola.example/fresh-sips/ref/CDFG3467'],
    [themes['kitchen-garden'], 'https://tombola.example/kitchen-garden/ref/CDFG3467'],
    [themes['sustainable-living'], 'https://tombola.example/sustainable-living/ref/CDFG3467'],
  ])('links to the page of its raffle (%#)', (copy, link) => {
    expect(referralLink(origin, variantOf(copy), 'CDFG3467')).toBe(link);
  });

  it('has no link as long as there is no code', () => {
    expect(referralLink(origin, variantOf(generic), undefined)).toBe('');
  });

  it('encodes what a mail says, spaces and ampersands too', () => {
    expect(mailHref('Win $150+ & more', 'a b\nc')).toBe(
      'mailto:?subject=Win%20%24150%2B%20%26%20more&body=a%20b%0D%0Ac',
    );
  });

  it.each([
    ['iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'sms:&body=a%20b'],
    ['iPad as a desktop', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'sms:&body=a%20b'],
    ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'sms:?body=a%20b'],
  ])('opens a text in the way of %s', (_, userAgent, href) => {
    expect(smsHref('a b', userAgent)).toBe(href);
  });
});
