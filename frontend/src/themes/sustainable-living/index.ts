import type { Theme } from '../types';
import { Scene } from './Scene';

export const sustainableLiving: Theme = {
  key: 'sustainable-living',
  name: 'Sustainable Living Starter Kit',
  title: 'Win the Sustainable Living Starter Kit',
  tagline: 'Everyday things you keep instead of throwing away.',
  description:
    'Jars, bags, brushes and soap that replace plastic and last for years.',
  kit: [
    { item: 'Four glass jars', detail: 'Clip lids, from half a pint to two quarts', value: 36 },
    { item: 'Cotton bags', detail: 'Six produce bags and one tote, machine washable', value: 26 },
    { item: 'Bamboo brushes', detail: 'A dish brush and two toothbrushes', value: 20 },
    { item: 'Steel water bottle', detail: 'Insulated, 20 ounces', value: 30 },
    { item: 'Beeswax wraps', detail: 'Three sizes, good for about a year', value: 22 },
    { item: 'Soap bars', detail: 'Hand, dish and shampoo, wrapped in paper', value: 24 },
  ],
  totalValue: '$150+',
  metaTitle: 'Win the Sustainable Living Starter Kit, free',
  metaDescription:
    'A free monthly raffle for a starter kit worth $150+: glass jars, cotton bags, bamboo brushes and more. No purchase required.',
  ogImage: 'og-sustainable-living.png',
  emailSubject: 'Free Monthly Sustainable Living Starter Kit - Win $150+ in Supplies!',
  emailBody: (link) =>
    [
      'Hi,',
      'I entered a free monthly raffle for the Sustainable Living Starter Kit: glass jars, cotton bags, bamboo brushes and more, worth $150+. No purchase required.',
      `You can enter here: ${link}`,
      'All it takes is a phone number. If you enter through my link, I get an extra entry.',
    ].join('\n\n'),
  textBody: (link) =>
    `I entered a free monthly raffle for a sustainable living kit worth $150+. Enter through my link and I get an extra entry: ${link}`,
  showsNextDrawing: true,
  successTitle: 'Sustainable Living Success!',
  Scene,
};
