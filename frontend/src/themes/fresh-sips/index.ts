import type { Theme } from '../types';
import { Scene } from './Scene';

export const freshSips: Theme = {
  key: 'fresh-sips',
  name: 'Fresh Sips Mixology Kit',
  title: 'Win the Fresh Sips Mixology Kit',
  tagline: 'Good drinks at home, shaken by you.',
  description:
    'Bar tools, two glasses and three cordials without alcohol, for many evenings.',
  kit: [
    { item: 'Cocktail shaker', detail: 'Stainless steel, 24 ounces, seals tight', value: 34 },
    { item: 'Two coupe glasses', detail: 'Six ounces, thin rim, dishwasher safe', value: 32 },
    { item: 'Jigger and bar spoon', detail: 'Marked from a quarter ounce to two ounces', value: 22 },
    { item: 'Strainer pair', detail: 'One coiled, one fine mesh', value: 20 },
    { item: 'Citrus press', detail: 'Takes limes and lemons', value: 18 },
    { item: 'Three cordials', detail: 'Lime, ginger and pink grapefruit, no alcohol', value: 36 },
  ],
  totalValue: '$150+',
  metaTitle: 'Win the Fresh Sips Mixology Kit, free monthly',
  metaDescription:
    'A free monthly raffle for a mixology kit worth $150+: shaker, coupe glasses, bar tools and cordials. No purchase required.',
  ogImage: 'og-fresh-sips.png',
  emailSubject: 'Free Monthly Fresh Sips Mixology Kit - Win $150+ in Supplies!',
  emailBody: (link) =>
    [
      'Hi,',
      'I entered a free monthly raffle for the Fresh Sips Mixology Kit: a shaker, two coupe glasses, bar tools and cordials worth $150+. No purchase required.',
      `You can enter here: ${link}`,
      'All it takes is a phone number. If you enter through my link, I get an extra entry.',
    ].join('\n\n'),
  textBody: (link) =>
    `I entered a free monthly raffle for a mixology kit worth $150+. Enter through my link and I get an extra entry: ${link}`,
  showsNextDrawing: true,
  successTitle: 'Fresh Sips Success!',
  Scene,
};
