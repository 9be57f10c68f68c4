import { describe, expect, it } from 'vitest';
import { raffleOf } from '../../../testing/site/raffles';
import { generic, type Copy } from '../../../themes';
import { mailHref, referralLink, shareText, smsHref } from './share';
import { variantOf } from './variants';

const origin = 'https://tombola.example';

describe('sharing', () => {
  it.each<[Copy, string]>([
    [{ raffle: raffleOf('garden-bag'), generic }, 'https://tombola.example/ref/CDFG3467'],
    [{ raffle: raffleOf('garden-bag') }, 'https://tombola.example/garden-bag/ref/CDFG3467'],
    [{ raffle: raffleOf('fresh-sips') }, 'https://tombola.example/fresh-sips/ref/CDFG3467'],
    [{ raffle: raffleOf('kitchen-garden') }, 'https://tombola.example/kitchen-garden/ref/CDFG3467'],
    [
      { raffle: raffleOf('sustainable-living') },
      'https://tombola.example/sustainable-living/ref/CDFG3467',
    ],
  ])('links to the page of its raffle (%#)', (copy, link) => {
    expect(referralLink(origin, variantOf(copy), 'CDFG3467')).toBe(link);
  });

  it('has no link as long as there is no code', () => {
    expect(referralLink(origin, variantOf({ raffle: raffleOf('garden-bag') }), undefined)).toBe('');
  });

  it('fills the placeholders of a text, and leaves other braces as they are', () => {
    const values = { LINK: 'https://a/{VALUE}', VALUE: '$150+' };
    expect(shareText('{LINK} for {VALUE}{VALUE}: {OTHER}, {link}, {}', values)).toBe(
      'https://a/{VALUE} for $150+$150+: {OTHER}, {link}, {}',
    );
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
