import type { Theme } from '../types';
import { Scene } from './Scene';

export const kitchenGarden: Theme = {
  key: 'kitchen-garden',
  name: 'Kitchen Garden Essentials',
  title: 'Win the Kitchen Garden Essentials',
  tagline: "Tomatoes and basil, an arm's length from the stove.",
  description:
    'Pots, plants, soil and the few tools a sunny sill needs. No yard required.',
  kit: [
    { item: 'Three terracotta pots', detail: 'Six, seven and eight inches, with saucers', value: 36 },
    { item: 'Starter plants', detail: 'Two bush tomatoes and two pots of basil', value: 22 },
    { item: 'Potting mix', detail: 'Peat-free, 16 quarts', value: 20 },
    { item: 'Watering can', detail: 'Enameled steel with a long spout, two quarts', value: 34 },
    { item: 'Herb shears', detail: 'Stainless steel, come apart for washing', value: 18 },
    { item: 'Stakes and labels', detail: 'Bamboo stakes, soft ties, wooden labels', value: 14 },
    { item: 'Seed packets', detail: 'Cherry tomato, Genovese basil, chives', value: 12 },
  ],
  totalValue: '$150+',
  metaTitle: 'Win the Kitchen Garden Essentials, free monthly',
  metaDescription:
    'A free monthly raffle for a windowsill garden worth $150+: pots, tomato and basil plants, soil and tools. No purchase required.',
  ogImage: 'og-kitchen-garden.png',
  emailSubject: 'Free Monthly Kitchen Garden Essentials - Win $150+ in Supplies!',
  emailBody: (link, nextDrawing) =>
    [
      'Hi,',
      'I entered a free monthly raffle for the Kitchen Garden Essentials: pots, tomato and basil plants, soil and tools worth $150+. No purchase required.',
      `The next winner is announced ${nextDrawing}.`,
      `You can enter here: ${link}`,
      'All it takes is a phone number. If you enter through my link, I get an extra entry.',
    ].join('\n\n'),
  textBody: (link) =>
    `I entered a free monthly raffle for a windowsill kitchen garden worth $150+. Enter through my link and I get an extra entry: ${link}`,
  showsNextDrawing: true,
  successTitle: 'Kitchen Garden Success!',
  Scene,
};
